/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
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
 * Matches documents of a point in time by their numbers in the shards' readers. Sent by deduplication jobs; nobody can type it.
 */
public final class DocumentsQueryBuilder extends AbstractQueryBuilder<DocumentsQueryBuilder> {

    static final String NAME = "simhash_documents";

    private final Map<ShardId, int[]> documents;

    /** @param documents of each shard, ascending */
    DocumentsQueryBuilder(Map<ShardId, int[]> documents) {
        this.documents = documents;
    }

    DocumentsQueryBuilder(StreamInput in) throws IOException {
        super(in);
        this.documents = in.readMap(ShardId::new, StreamInput::readVIntArray);
    }

    /** For the node's registry. */
    public static QuerySpec<DocumentsQueryBuilder> spec() {
        return new QuerySpec<>(NAME, DocumentsQueryBuilder::new, parser -> {
            throw NumberedDocuments.refusal(NAME, parser);
        });
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeMap(documents, (o, shard) -> shard.writeTo(o), StreamOutput::writeVIntArray);
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME);
        for (Map.Entry<ShardId, int[]> entry : documents.entrySet()) {
            builder.field(entry.getKey().toString(), entry.getValue().length);
        }
        builder.endObject();
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        int[] docs = documents.get(NumberedDocuments.shard(context));
        return new DocumentsQuery(docs == null ? new int[0] : docs);
    }

    @Override
    protected boolean doEquals(DocumentsQueryBuilder other) {
        return contents().equals(other.contents());
    }

    @Override
    protected int doHashCode() {
        return contents().hashCode();
    }

    private Map<ShardId, Integer> contents() {
        Map<ShardId, Integer> hashes = new HashMap<>();
        documents.forEach((shard, docs) -> hashes.put(shard, Arrays.hashCode(docs)));
        return hashes;
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    /** Documents of one shard by number. */
    private static final class DocumentsQuery extends NumberedDocuments {

        private final int[] docs;

        DocumentsQuery(int[] docs) {
            this.docs = docs;
        }

        @Override
        DocIdSetIterator of(LeafReaderContext leaf) {
            int from = position(leaf.docBase);
            int to = position(leaf.docBase + leaf.reader().maxDoc());
            return from < to ? new Documents(docs, from, to, leaf.docBase) : null;
        }

        /** Of the first document not before this one. */
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

    /** The documents of one leaf. */
    private static final class Documents extends DocIdSetIterator {

        private final int[] docs;
        private final int to;
        private final int docBase;
        private int next;
        private int doc = -1;

        Documents(int[] docs, int from, int to, int docBase) {
            this.docs = docs;
            this.next = from;
            this.to = to;
            this.docBase = docBase;
        }

        @Override
        public int docID() {
            return doc;
        }

        @Override
        public int nextDoc() {
            doc = next == to ? NO_MORE_DOCS : docs[next++] - docBase;
            return doc;
        }

        @Override
        public int advance(int target) {
            int found = Arrays.binarySearch(docs, next, to, docBase + target);
            next = found < 0 ? ~found : found;
            return nextDoc();
        }

        @Override
        public long cost() {
            return (long) to - next;
        }
    }
}
