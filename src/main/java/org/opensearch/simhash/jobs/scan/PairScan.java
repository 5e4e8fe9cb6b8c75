/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.LeafBucketCollector;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageAggregator;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PairScan.PairsAggregator.ShardPairs;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.PairDocValues;

/**
 * Reads what decides conditions on a pair, of documents of a point in time, in the order of each shard. Some 0.3 µs for a value; where
 * a field may ignore long values, a µs and more for the source of each document. Blocks its one thread.
 */
public record PairScan(PointInTime pointInTime) {

    /** Documents of a search: some 6 MB. */
    static final int PAGE = 1 << 17;

    /** Receives the values of documents, in no order. */
    public interface Sink {

        /**
         * @param keys of several documents: hashes of 128 bits; both halves 0 for a missing value
         * @param first of the keys of the document
         * @param places ascending
         */
        void values(int position, long[] keys, int first, double[] places);
    }

    /**
     * Looks for documents with ignored values. Reads doc values, and the sources of documents that have none in a field that
     * may ignore long values: of several values one that is ignored is found by {@link #read} only.
     *
     * @return whether fields may ignore values
     * @throws IllegalArgumentException if all values of a document in a field are ignored
     */
    public boolean mayIgnore(QueryBuilder documents, PairConditions conditions) {
        if (conditions.isEmpty()) {
            return false;
        }
        List<ShardPairs> found = pages(documents, new PairsAggregator.Page(PairConditions.NONE, conditions, 0));
        return found.stream().anyMatch(ShardPairs::mayIgnore);
    }

    private List<ShardPairs> pages(QueryBuilder documents, PairsAggregator.Page page) {
        List<ShardPairs> found = pointInTime.pages(documents, PairsAggregator.KIND, page);
        for (ShardPairs shard : found) {
            if (shard.refusal() != null) {
                throw new IllegalArgumentException(shard.refusal());
            }
        }
        return found;
    }

    /**
     * @param addresses of the documents, ascending and distinct; positions refer to them
     * @param conditions that the values decide
     * @param all conditions of the job
     * @param cancellable throws between two searches if the job is cancelled
     * @throws IllegalArgumentException if a document has a value that is ignored, which would look missing
     */
    public void read(long[] addresses, PairConditions conditions, PairConditions all, Runnable cancellable, Sink sink) {
        int width = 2 * (int) conditions.keyFields().count();
        for (int from = 0; from < addresses.length; from += PAGE) {
            cancellable.run();
            long[] page = Arrays.copyOfRange(addresses, from, Math.min(addresses.length, from + PAGE));
            int read = 0;
            for (ShardPairs shard :
                    pages(pointInTime.these(page), new PairsAggregator.Page(conditions, all, page.length))) {
                for (int i = 0; i < shard.size(); i++) {
                    int position =
                            Arrays.binarySearch(addresses, pointInTime.address(shard.shard(), shard.documents()[i]));
                    int start = i == 0 ? 0 : shard.ends()[i - 1];
                    double[] places = Arrays.copyOfRange(shard.places(), start, shard.ends()[i]);
                    sink.values(position, shard.keys(), i * width, places);
                }
                read += shard.size();
            }
            if (read != page.length) {
                throw new IllegalStateException(
                        "values of " + read + " documents, of " + page.length + " that were read before");
            }
        }
    }

    /** Reads the values that decide conditions on a pair, of all matching documents of a shard. One thread, leaf by leaf. */
    static final class PairsAggregator extends PageAggregator<PairsAggregator.ShardPairs> {

        static final PageKind<Page, ShardPairs> KIND =
                new PageKind<>("simhash_pairs", Page::new, ShardPairs::new, PairsAggregator::new);

        /**
         * @param conditions that the values decide
         * @param all conditions of the job: no value of their fields may be ignored
         * @param limit most documents that match; 0 to look for ignored values only, in any number of documents
         */
        record Page(PairConditions conditions, PairConditions all, int limit)
                implements PageAggregationBuilder.WantedPage {

            Page(StreamInput in) throws IOException {
                this(new PairConditions(in), new PairConditions(in), in.readVInt());
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                conditions.writeTo(out);
                all.writeTo(out);
                out.writeVInt(limit);
            }
        }

        /**
         * The values of documents of a shard.
         *
         * @param documents by number in the shard's reader
         * @param keys hashes of 128 bits, those of a document side by side; both halves 0 for a missing value
         * @param ends end of each document's places
         * @param mayIgnore whether documents may have values that are ignored
         * @param refusal why a document cannot be decided; null if all can
         */
        @SuppressWarnings("ArrayRecordComponent") // Columns; never compared.
        record ShardPairs(
                ShardId shard,
                int[] documents,
                long[] keys,
                int[] ends,
                double[] places,
                boolean mayIgnore,
                String refusal)
                implements PageAggregationBuilder.ShardPage {

            ShardPairs(StreamInput in) throws IOException {
                this(
                        new ShardId(in),
                        in.readVIntArray(),
                        in.readLongArray(),
                        in.readVIntArray(),
                        in.readDoubleArray(),
                        in.readBoolean(),
                        in.readOptionalString());
            }

            @Override
            public int size() {
                return documents.length;
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                shard.writeTo(out);
                out.writeVIntArray(documents);
                out.writeLongArray(keys);
                out.writeVIntArray(ends);
                out.writeDoubleArray(places);
                out.writeBoolean(mayIgnore);
                out.writeOptionalString(refusal);
            }
        }

        private final Page page;
        private final int width;
        /** Null until a document matches: not every index maps the fields. */
        private PairDocValues values;

        private int size;
        private int[] documents = {};
        private int[] ends = {};
        private long[] keys = {};
        private double[] places = {};
        private int placesSize;
        private boolean mayIgnore;
        private String refusal;

        PairsAggregator(Page page, SearchContext context, Aggregator parent, Map<String, Object> metadata)
                throws IOException {
            super(KIND.name(), context, parent, metadata);
            this.page = page;
            this.width = 2 * (int) page.conditions.keyFields().count();
        }

        @Override
        public LeafBucketCollector getLeafCollector(LeafReaderContext leaf, LeafBucketCollector sub) {
            if (refusal != null) {
                throw new CollectionTerminatedException();
            }
            return new LeafBucketCollector() {

                private boolean isOpen;

                @Override
                public void collect(int doc, long bucket) throws IOException {
                    try {
                        if (isOpen == false) {
                            open(leaf);
                            isOpen = true;
                        }
                        if (page.limit == 0) {
                            look(doc);
                        } else {
                            makeRoom();
                            values.read(doc, row);
                            documents[size] = leaf.docBase + doc;
                            ends[size++] = placesSize;
                        }
                    } catch (IllegalArgumentException e) {
                        // Thrown, it would look like a failure of the shard.
                        refusal = e.getMessage();
                        throw new CollectionTerminatedException();
                    }
                }
            };
        }

        private void look(int doc) throws IOException {
            mayIgnore |= values.mayIgnore();
            if (values.mayIgnoreAll() == false) {
                throw new CollectionTerminatedException();
            }
            values.requireAny(doc);
        }

        private void open(LeafReaderContext leaf) throws IOException {
            if (values == null) {
                values = new PairDocValues(context.getQueryShardContext(), page.conditions, page.all);
            }
            values.setNextReader(leaf);
        }

        private void makeRoom() {
            if (size == documents.length) {
                int capacity = Math.min(page.limit, Math.max(256, 2 * size));
                addRequestCircuitBreakerBytes((long) (capacity - size) * (2 * Integer.BYTES + width * Long.BYTES));
                documents = Arrays.copyOf(documents, capacity);
                ends = Arrays.copyOf(ends, capacity);
                keys = Arrays.copyOf(keys, capacity * width);
            }
        }

        private final PairDocValues.Sink row = new PairDocValues.Sink() {
            @Override
            public void key(int key, HashValue128 hash) {
                if (hash != null) {
                    int at = size * width + 2 * key;
                    keys[at] = hash.getMostSignificantBits();
                    // Never what stands for a missing value.
                    keys[at + 1] = hash.getLeastSignificantBits() | 1;
                }
            }

            @Override
            public void places(double[] ofDocument) {
                int end = Math.addExact(placesSize, ofDocument.length);
                if (end > places.length) {
                    int capacity = ArrayUtil.oversize(end, Double.BYTES);
                    addRequestCircuitBreakerBytes((long) (capacity - places.length) * Double.BYTES);
                    places = Arrays.copyOf(places, capacity);
                }
                System.arraycopy(ofDocument, 0, places, placesSize, ofDocument.length);
                placesSize = end;
            }
        };

        @Override
        ShardPairs build() {
            return new ShardPairs(
                    shard,
                    Arrays.copyOf(documents, size),
                    Arrays.copyOf(keys, size * width),
                    Arrays.copyOf(ends, size),
                    Arrays.copyOf(places, placesSize),
                    mayIgnore,
                    refusal);
        }
    }
}
