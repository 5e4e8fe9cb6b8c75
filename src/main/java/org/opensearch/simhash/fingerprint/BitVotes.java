/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Arrays;

/**
 * The 64 weighted counters of a SimHash (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002):
 * each feature adds its weight to the counters of the bits that its hash has, and takes it from the others; the fingerprint
 * has the bits whose counter is above 0.
 *
 * <p>Only the set bits are added up: the counter of the textbook is {@code 2 * sum - total}. Four counters of 16 bits share a
 * {@code long}, so a vote costs 16 additions instead of 64, and spill into wide counters before they can overflow.
 *
 * <p>Sums are integers: the order of the votes does not matter. Not thread-safe.
 */
final class BitVotes {

    private static final int LANES = 4;
    private static final int WORDS = Long.SIZE / LANES;
    private static final int LANE_MAX = 0xffff;
    private static final long LOWEST_OF_EACH_LANE = 0x0001_0001_0001_0001L;

    /** Lane {@code l} of word {@code w} counts bit {@code w + 16 l}. */
    private final long[] lanes = new long[WORDS];

    private final long[] sums = new long[Long.SIZE];
    private long total;
    private int room = LANE_MAX;

    /** @param weight 0 or more, in units of {@link Weighting#ONE} */
    void add(long hash, long weight) {
        total += weight;
        if (weight > room) {
            spill();
            if (weight > LANE_MAX) {
                addWide(hash, weight);
                return;
            }
        }
        room -= (int) weight;
        for (int w = 0; w < WORDS; w++) {
            lanes[w] += ((hash >>> w) & LOWEST_OF_EACH_LANE) * weight;
        }
    }

    /** The fingerprint of the votes so far; a tie leaves the bit 0. */
    long fingerprint() {
        spill();
        long fingerprint = 0;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            if (2 * sums[bit] > total) {
                fingerprint |= 1L << bit;
            }
        }
        return fingerprint;
    }

    private void spill() {
        for (int w = 0; w < WORDS; w++) {
            long word = lanes[w];
            for (int lane = 0; lane < LANES; lane++) {
                sums[w + WORDS * lane] += (word >>> (WORDS * lane)) & LANE_MAX;
            }
        }
        Arrays.fill(lanes, 0);
        room = LANE_MAX;
    }

    private void addWide(long hash, long weight) {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            sums[bit] += ((hash >>> bit) & 1) * weight;
        }
    }
}
