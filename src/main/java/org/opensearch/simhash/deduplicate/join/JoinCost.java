/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** What a {@link NearJoin} would cost, told by a part of its fingerprints. */
public final class JoinCost {

    private JoinCost() {}

    /**
     * Nanoseconds of all threads together, roughly: equal fingerprints, which a join compares once, are not looked for. Takes some ten
     * milliseconds for a sample of 2,000.
     *
     * @param sample drawn at random from fingerprints of one stratum
     * @param count of all of these
     */
    public static double nanos(long[] sample, long count, int distance) {
        return BlockChoice.cheapest(sample.clone(), count, -1L, distance, BlockChoice.MOST_COMBINATIONS)
                .nanos();
    }
}
