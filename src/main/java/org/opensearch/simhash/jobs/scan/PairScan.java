/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import com.dynatrace.hash4j.hashing.HashValue128;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageShard;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.PairDocValues;

/**
 * Reads what decides conditions on a pair, of documents of a point in time, in the order of each shard. Some 0.3 µs for a value; where
 * a field may ignore long values, a µs and more for the source of each document. Blocks its one thread.
 */
public record PairScan(PointInTime pointInTime) {

    private static final double[] NO_PLACES = {};

    /** Documents of a search: some 6 MB. */
    static final int PAGE = 1 << 17;

    /** Receives the values of documents, in no order. */
    public interface Sink {

        /** @param keys hashes of 128 bits; both halves 0 for a missing value. Valid during the call */
        void values(int position, long[] keys, double[] places);
    }

    /**
     * @param addresses of the documents, ascending and distinct; positions refer to them
     * @throws IllegalArgumentException if a document has a value that is ignored, which would look missing
     */
    public void read(long[] addresses, PairConditions conditions, PairConditions all, Sink sink) {
        int width = 2 * (int) conditions.keyFields().count();
        for (int from = 0; from < addresses.length; from += PAGE) {
            long[] page = Arrays.copyOfRange(addresses, from, Math.min(addresses.length, from + PAGE));
            int read = 0;
            long[] keys = new long[width];
            var wanted = new PairsReader.Page(conditions, all);
            for (RowPage shard : pointInTime.pages(pointInTime.these(page), PairsReader.KIND, wanted)) {
                read += shard.read(in -> {
                    for (int row = 0; row < shard.size(); row++) {
                        long address = pointInTime.address(shard.shard(), in.readVInt());
                        for (int i = 0; i < width; i++) {
                            keys[i] = in.readLong();
                        }
                        double[] places = conditions.within() == null ? NO_PLACES : in.readDoubleArray();
                        sink.values(Arrays.binarySearch(addresses, address), keys, places);
                    }
                    return shard.size();
                });
            }
            if (read != page.length) {
                throw new IllegalStateException(
                        "values of " + read + " documents, of " + page.length + " that were read before");
            }
        }
    }

    /** Reads the values that decide conditions on a pair, of all matching documents of a shard. */
    static final class PairsReader implements PageReader {

        static final PageKind<Page> KIND = new PageKind<>("simhash_pairs", Page::new, PairsReader::new);

        /** @param all conditions of the job: no value of their fields may be ignored */
        record Page(PairConditions conditions, PairConditions all) implements Writeable {

            Page(StreamInput in) throws IOException {
                this(PairConditions.ofFormat(in.readString()), PairConditions.ofFormat(in.readString()));
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                out.writeString(conditions.format());
                out.writeString(all.format());
            }
        }

        private final Page page;
        private final PageShard shard;
        private final long[] keys;

        private double[] places = NO_PLACES;
        /** Null until a document matches: not every index maps the fields. */
        private PairDocValues values;

        private LeafReaderContext opened;

        private PairsReader(Page page, PageShard shard) {
            this.page = page;
            this.shard = shard;
            this.keys = new long[2 * (int) page.conditions.keyFields().count()];
        }

        @Override
        public Documents open(LeafReaderContext leaf) {
            return doc -> {
                if (values == null) {
                    values = new PairDocValues(shard.context(), page.conditions, page.all);
                }
                if (opened != leaf) {
                    values.setNextReader(leaf);
                    opened = leaf;
                }
                Arrays.fill(keys, 0);
                values.read(doc, row);
                write(leaf.docBase + doc);
            };
        }

        private void write(int document) throws IOException {
            StreamOutput out = shard.rows().next();
            out.writeVInt(document);
            for (long key : keys) {
                out.writeLong(key);
            }
            if (page.conditions.within() != null) {
                out.writeDoubleArray(places);
            }
        }

        private final PairDocValues.Sink row = new PairDocValues.Sink() {
            @Override
            public void key(int key, HashValue128 hash) {
                if (hash != null) {
                    keys[2 * key] = hash.getMostSignificantBits();
                    // Never what stands for a missing value.
                    keys[2 * key + 1] = hash.getLeastSignificantBits() | 1;
                }
            }

            @Override
            public void places(double[] ofDocument) {
                places = ofDocument;
            }
        };
    }
}
