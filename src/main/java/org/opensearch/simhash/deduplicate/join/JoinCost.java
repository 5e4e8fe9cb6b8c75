/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Estimates the cost of a {@link NearJoin} from a sample. */
public final class JoinCost {

    private JoinCost() {}

    /**
     * Approximate nanoseconds of all threads together. The estimate ignores equal fingerprints, which a join compares
     * once. Takes some 10 ms for a sample of 2,000.
     *
     * @param sample random fingerprints of one stratum
     * @param count size of the stratum
     */
    public static double nanos(long[] sample, long count, int distance) {
        return BlockChoice.cheapest(sample.clone(), count, -1L, distance, BlockChoice.MOST_COMBINATIONS)
                .nanos();
    }
}
