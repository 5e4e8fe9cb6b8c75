/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Query;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/**
 * Matches the documents after a given one of their shard, so that a page skips the documents of earlier pages. Without
 * it, a page of thousands spends most of its time on these.
 */
public final class DocumentsAfterQueryBuilder extends JobQueryBuilder<DocumentsAfterQueryBuilder> {

    static final String NAME = "simhash_documents_after";

    private final Map<ShardId, Integer> after;

    /** @param after numbers in the shards' readers; in other shards, every document matches */
    DocumentsAfterQueryBuilder(Map<ShardId, Integer> after) {
        super(NAME);
        this.after = Map.copyOf(after);
    }

    DocumentsAfterQueryBuilder(StreamInput in) throws IOException {
        super(NAME, in);
        this.after = in.readMap(ShardId::new, StreamInput::readInt);
    }

    public static QuerySpec<DocumentsAfterQueryBuilder> spec() {
        return SentByJobs.query(NAME, DocumentsAfterQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeMap(after, (o, shard) -> shard.writeTo(o), StreamOutput::writeInt);
    }

    @Override
    Object value() {
        return after;
    }

    @Override
    Map<String, ?> shown() {
        return shown(after);
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        return new AfterQuery(after.getOrDefault(NumberedDocuments.shard(context), -1));
    }

    private static final class AfterQuery extends NumberedDocuments {

        private final int after;

        AfterQuery(int after) {
            this.after = after;
        }

        @Override
        DocIdSetIterator of(LeafReaderContext leaf) {
            int maxDoc = leaf.reader().maxDoc();
            long first = Math.max(0L, after + 1L - leaf.docBase);
            return first < maxDoc ? DocIdSetIterator.range((int) first, maxDoc) : null;
        }

        @Override
        public boolean equals(Object other) {
            return sameClassAs(other) && other instanceof AfterQuery query && after == query.after;
        }

        @Override
        public int hashCode() {
            return 31 * classHash() + after;
        }

        @Override
        public String toString(String field) {
            return "documents after " + after;
        }
    }
}
