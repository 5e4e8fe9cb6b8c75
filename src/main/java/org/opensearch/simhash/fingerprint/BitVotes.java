/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Arrays;

/**
 * The 64 weighted counters of a SimHash (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002):
 * each feature adds its weight to the counters of the bits that its hash has, and takes it from the others; the fingerprint
 * has the bits whose counter is above 0.
 *
 * <p>Only the set bits are added up: the counter of the textbook is {@code 2 * sum - total}. Votes of weight
 * {@link Weighting#ONE}, the most by far, are counted in lanes of 8 bits, eight to a {@code long}: 8 additions a vote instead
 * of 64. The lanes spill into wide counters before they can overflow.
 *
 * <p>Sums are integers: the order of the votes does not matter. Not thread-safe.
 */
final class BitVotes {

    private static final int LANES = 8;
    private static final int WORDS = Long.SIZE / LANES;
    private static final int LANE_MAX = 0xff;
    private static final long LOWEST_OF_EACH_LANE = 0x0101_0101_0101_0101L;

    /** Lane {@code l} of word {@code w} counts the votes of weight one for bit {@code w + 8 l}. */
    private final long[] lanes = new long[WORDS];

    private final long[] sums = new long[Long.SIZE];
    private long total;
    private int room = LANE_MAX;

    /** @param weight 0 or more, in units of 1/{@link Weighting#ONE} */
    void add(long hash, long weight) {
        total += weight;
        if (weight == Weighting.ONE) {
            addOne(hash);
        } else {
            for (int bit = 0; bit < Long.SIZE; bit++) {
                sums[bit] += ((hash >>> bit) & 1) * weight;
            }
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

    void clear() {
        Arrays.fill(lanes, 0);
        Arrays.fill(sums, 0);
        total = 0;
        room = LANE_MAX;
    }

    private void addOne(long hash) {
        if (room == 0) {
            spill();
        }
        room--;
        for (int w = 0; w < WORDS; w++) {
            lanes[w] += (hash >>> w) & LOWEST_OF_EACH_LANE;
        }
    }

    private void spill() {
        for (int w = 0; w < WORDS; w++) {
            long word = lanes[w];
            for (int lane = 0; lane < LANES; lane++) {
                sums[w + WORDS * lane] += ((word >>> (WORDS * lane)) & LANE_MAX) * Weighting.ONE;
            }
        }
        Arrays.fill(lanes, 0);
        room = LANE_MAX;
    }
}
