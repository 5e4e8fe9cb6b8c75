/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.LeafBucketCollector;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Vicinity;
import org.opensearch.simhash.match.IndexedFields;
import org.opensearch.simhash.query.FingerprintMapping;

/** Collects the page of a shard and ends the search when the page is full. One thread, leaves in order. */
final class ColumnsAggregator extends PageAggregator<ShardColumns> {

    static final String NAME = "simhash_columns";

    /**
     * A page of fingerprints from each shard, in the order of the shard's reader.
     *
     * @param field the fingerprint object
     * @param same fields that must have equal values in linked documents
     * @param after the last document read from each shard
     * @param chunks the wanted fingerprints
     * @param near the wanted documents; null for all
     */
    record Page(String field, List<String> same, Map<ShardId, Integer> after, int limit, Chunks chunks, Near near)
            implements PageAggregationBuilder.WantedPage {

        Page(StreamInput in) throws IOException {
            this(
                    in.readString(),
                    in.readStringList(),
                    in.readMap(ShardId::new, StreamInput::readInt),
                    in.readVInt(),
                    new Chunks(in),
                    in.readOptionalWriteable(Near::new));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(field);
            out.writeStringCollection(same);
            out.writeMap(after, (o, shard) -> shard.writeTo(o), StreamOutput::writeInt);
            out.writeVInt(limit);
            chunks.writeTo(out);
            out.writeOptionalWriteable(near);
        }

        @Override
        public String type() {
            return NAME;
        }

        @Override
        public Aggregator aggregator(SearchContext search, Aggregator outer, Map<String, Object> meta)
                throws IOException {
            return new ColumnsAggregator(this, search, outer, meta);
        }
    }

    private final Page page;
    private final Optional<IndexedFields> fields;
    private final ColumnsBuilder columns;
    private final int after;
    /** Null if all documents are wanted. Built at the first leaf, because it may take much memory. */
    private Vicinity vicinity;

    private int lastDocument = -1;
    private long documents;

    ColumnsAggregator(Page page, SearchContext context, Aggregator parent, Map<String, Object> metadata)
            throws IOException {
        super(NAME, context, parent, metadata);
        this.page = page;
        this.fields = new FingerprintMapping(context.getQueryShardContext(), page.field()).readableFields();
        this.after = page.after().getOrDefault(shard, -1);
        int left = context.searcher().getIndexReader().maxDoc() - 1 - after;
        this.columns =
                new ColumnsBuilder(page.limit(), left, page.chunks(), page.near(), this::addRequestCircuitBreakerBytes);
    }

    @Override
    public LeafBucketCollector getLeafCollector(LeafReaderContext leaf, LeafBucketCollector sub) throws IOException {
        columns.endLeaf();
        if (columns.isFull() || after - leaf.docBase >= leaf.reader().maxDoc() - 1) {
            throw new CollectionTerminatedException();
        }
        if (leaf.docBase <= lastDocument) {
            throw new IllegalStateException("leaves must come in their order");
        }
        if (page.near() != null && vicinity == null && fields.isPresent()) {
            vicinity = page.near().vicinity(this::addRequestCircuitBreakerBytes);
        }
        LeafColumns values = fields.isEmpty()
                ? null
                : new LeafColumns(leaf, fields.get(), page, vicinity, context.getQueryShardContext(), columns);
        return new LeafBucketCollector() {
            @Override
            public void collect(int doc, long bucket) throws IOException {
                int document = leaf.docBase + doc;
                if (document <= after) {
                    return;
                }
                if (columns.isFull()) {
                    throw new CollectionTerminatedException();
                }
                lastDocument = document;
                documents++;
                if (values != null) {
                    values.collect(doc);
                }
            }
        };
    }

    @Override
    ShardColumns build() throws IOException {
        columns.endLeaf();
        return columns.build(shard, Math.max(after, lastDocument), documents);
    }
}
