/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.DocIdSetBuilder;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/** Matches documents by their numbers in the shards' readers. */
public final class DocumentsQueryBuilder extends JobQueryBuilder<DocumentsQueryBuilder> {

    static final String NAME = "simhash_documents";

    private final Map<ShardId, int[]> documents;

    /** @param documents numbers by shard, ascending */
    DocumentsQueryBuilder(Map<ShardId, int[]> documents) {
        super(NAME);
        this.documents = documents;
    }

    DocumentsQueryBuilder(StreamInput in) throws IOException {
        super(NAME, in);
        this.documents = in.readMap(ShardId::new, StreamInput::readVIntArray);
    }

    public static QuerySpec<DocumentsQueryBuilder> spec() {
        return SentByJobs.query(NAME, DocumentsQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeMap(documents, (o, shard) -> shard.writeTo(o), StreamOutput::writeVIntArray);
    }

    @Override
    Object value() {
        return documents;
    }

    @Override
    Map<String, ?> shown() {
        return documents.entrySet().stream()
                .collect(Collectors.toMap(shard -> shard.getKey().toString(), shard -> shard.getValue().length));
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        int[] docs = documents.get(NumberedDocuments.shard(context));
        return new DocumentsQuery(docs == null ? new int[0] : docs);
    }

    private static final class DocumentsQuery extends NumberedDocuments {

        private final int[] docs;

        DocumentsQuery(int[] docs) {
            this.docs = docs;
        }

        @Override
        DocIdSetIterator of(LeafReaderContext leaf) throws IOException {
            int from = position(leaf.docBase);
            int to = position(leaf.docBase + leaf.reader().maxDoc());
            if (from == to) {
                return null;
            }
            DocIdSetBuilder found = new DocIdSetBuilder(leaf.reader().maxDoc());
            DocIdSetBuilder.BulkAdder adder = found.grow(to - from);
            for (int i = from; i < to; i++) {
                adder.add(docs[i] - leaf.docBase);
            }
            return found.build().iterator();
        }

        /** Position of the first number that is not below {@code doc}. */
        private int position(int doc) {
            int found = Arrays.binarySearch(docs, doc);
            return found < 0 ? ~found : found;
        }

        @Override
        public boolean equals(Object other) {
            return sameClassAs(other) && other instanceof DocumentsQuery query && Arrays.equals(docs, query.docs);
        }

        @Override
        public int hashCode() {
            return 31 * classHash() + Arrays.hashCode(docs);
        }

        @Override
        public String toString(String field) {
            return docs.length + " documents by number";
        }
    }
}
