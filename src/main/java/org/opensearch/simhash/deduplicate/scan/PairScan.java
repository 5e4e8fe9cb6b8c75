/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.Arrays;
import java.util.List;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.scan.PageAggregationBuilder.InternalPages;
import org.opensearch.simhash.deduplicate.scan.PairsAggregator.ShardPairs;
import org.opensearch.simhash.pair.PairConditions;

/**
 * Reads what decides conditions on a pair, of documents of a point in time, in the order of each shard. Some 0.3 µs for a value; where
 * a field may ignore long values, a µs and more for the source of each document. Blocks its one thread.
 */
public final class PairScan {

    /** Documents of a search: some 6 MB. */
    private static final int PAGE = 1 << 17;

    /** Receives the values of documents, in no order. */
    public interface Sink {

        /**
         * @param keys of several documents: hashes of 128 bits; both halves 0 for a missing value
         * @param first of the keys of the document
         * @param places ascending
         */
        void values(int position, long[] keys, int first, double[] places);
    }

    private final PointInTime pointInTime;

    public PairScan(PointInTime pointInTime) {
        this.pointInTime = pointInTime;
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
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(documents)
                .size(0)
                .trackTotalHits(false)
                .aggregation(new PageAggregationBuilder(page));
        InternalPages<ShardPairs> found =
                pointInTime.search(source).getAggregations().get(PairsAggregator.NAME);
        for (ShardPairs shard : found.shards()) {
            if (shard.refusal() != null) {
                throw new IllegalArgumentException(shard.refusal());
            }
        }
        return found.shards();
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
}
