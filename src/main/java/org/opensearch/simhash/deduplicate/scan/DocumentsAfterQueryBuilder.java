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
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/**
 * Matches the documents of a point in time that come after some document of their shard. Beside it a query is not evaluated again on
 * what the pages before have read: with pages of thousands, that would be most of the work. Sent by deduplication jobs; nobody can
 * type it.
 */
public final class DocumentsAfterQueryBuilder extends AbstractQueryBuilder<DocumentsAfterQueryBuilder> {

    static final String NAME = "simhash_documents_after";

    private final Map<ShardId, Integer> after;

    /** @param after numbers in the shards' readers; all documents of other shards match */
    DocumentsAfterQueryBuilder(Map<ShardId, Integer> after) {
        this.after = Map.copyOf(after);
    }

    DocumentsAfterQueryBuilder(StreamInput in) throws IOException {
        super(in);
        this.after = in.readMap(ShardId::new, StreamInput::readInt);
    }

    /** For the node's registry. */
    public static QuerySpec<DocumentsAfterQueryBuilder> spec() {
        return SentByJobs.query(NAME, DocumentsAfterQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeMap(after, (o, shard) -> shard.writeTo(o), StreamOutput::writeInt);
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME);
        for (Map.Entry<ShardId, Integer> entry : after.entrySet()) {
            builder.field(entry.getKey().toString(), entry.getValue());
        }
        builder.endObject();
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        return new AfterQuery(after.getOrDefault(NumberedDocuments.shard(context), -1));
    }

    @Override
    protected boolean doEquals(DocumentsAfterQueryBuilder other) {
        return after.equals(other.after);
    }

    @Override
    protected int doHashCode() {
        return after.hashCode();
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    /** Documents of one shard behind a number. */
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
