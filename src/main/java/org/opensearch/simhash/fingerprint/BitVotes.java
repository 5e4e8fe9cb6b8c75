/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Arrays;

/**
 * The 64 weighted counters of a SimHash (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002):
 * each feature adds its weight to the counters of the bits that its hash has, and takes it from the others; the fingerprint
 * has the bits whose counter is above 0.
 *
 * <p>Only the set bits are added up: the counter of the textbook is {@code 2 * sum - total}. Votes of weight
 * {@link Weighting#ONE}, the most by far, go eight at a time through a tree of carry-save adders (Harley and Seal; Warren,
 * "Hacker's Delight", 5-1), which adds to 64 counters of three bits at once, and what is carried out of these is counted in lanes
 * of 8 bits, eight to a {@code long}. Other weights are summed up in lanes of 16 bits: 16 multiplications for 64 counters. The lanes
 * spill into wide counters before they can overflow.
 *
 * <p>Sums are integers: the order of the votes does not matter. Not thread-safe.
 */
final class BitVotes {

    private static final int BLOCK = 8;
    private static final int LANES = 8;
    private static final int WORDS = Long.SIZE / LANES;
    private static final int LANE_MAX = 0xff;
    private static final long LOWEST_OF_EACH_LANE = 0x0101_0101_0101_0101L;

    private static final int LONG_LANES = 4;
    private static final int LONG_WORDS = Long.SIZE / LONG_LANES;
    private static final long LONG_LANE_MAX = 0xffff;
    private static final long LOWEST_OF_EACH_LONG_LANE = 0x0001_0001_0001_0001L;

    private static final int PENDING = 128;

    /** Votes of weight one that wait, and all others: told apart without a branch. */
    private final long[] ones = new long[PENDING + BLOCK];

    private int waitingOnes;
    private final long[] others = new long[PENDING];
    private final long[] weights = new long[PENDING];
    private int waitingOthers;

    /** Lane {@code l} of word {@code w} counts blocks of votes of weight one for bit {@code w + 8 l}. */
    private final long[] lanes = new long[WORDS];

    private int room = LANE_MAX;

    /** Lane {@code l} of word {@code w} sums up the other weights for bit {@code w + 16 l}. */
    private final long[] longLanes = new long[LONG_WORDS];

    private long longRoom = LONG_LANE_MAX;

    private final long[] sums = new long[Long.SIZE];
    private long total;

    /** @param weight 0 or more, in units of 1/{@link Weighting#ONE} */
    void add(long hash, long weight) {
        total += weight;
        ones[waitingOnes] = hash;
        others[waitingOthers] = hash;
        weights[waitingOthers] = weight;
        int isOne = weight == Weighting.ONE ? 1 : 0;
        waitingOnes += isOne;
        waitingOthers += 1 - isOne;
        if (waitingOnes == PENDING) {
            countOnes();
        }
        if (waitingOthers == PENDING) {
            addOthers();
        }
    }

    /** The fingerprint of the votes so far; a tie leaves the bit 0. */
    long fingerprint() {
        countOnes();
        addOthers();
        spill();
        spillLongLanes();
        long fingerprint = 0;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            // The sign bit of a negative number is 1: a branch would go either way, bit by bit.
            fingerprint |= ((total - 2 * sums[bit]) >>> (Long.SIZE - 1)) << bit;
        }
        return fingerprint;
    }

    void clear() {
        Arrays.fill(lanes, 0);
        Arrays.fill(sums, 0);
        total = 0;
        Arrays.fill(longLanes, 0);
        room = LANE_MAX;
        longRoom = LONG_LANE_MAX;
        waitingOnes = 0;
        waitingOthers = 0;
    }

    private void addOthers() {
        for (int i = 0; i < waitingOthers; i++) {
            long weight = weights[i];
            if (weight > LONG_LANE_MAX) {
                addOne(others[i], weight);
                continue;
            }
            if (weight > longRoom) {
                spillLongLanes();
            }
            longRoom -= weight;
            for (int w = 0; w < LONG_WORDS; w++) {
                longLanes[w] += ((others[i] >>> w) & LOWEST_OF_EACH_LONG_LANE) * weight;
            }
        }
        waitingOthers = 0;
    }

    private void addOne(long hash, long weight) {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            sums[bit] += ((hash >>> bit) & 1) * weight;
        }
    }

    private void countOnes() {
        long[] hashes = ones;
        Arrays.fill(hashes, waitingOnes, waitingOnes + BLOCK, 0);
        long sum1 = 0;
        long sum2 = 0;
        long sum4 = 0;
        for (int i = 0; i < waitingOnes; i += BLOCK) {
            long half = sum1 ^ hashes[i];
            long first2 = (sum1 & hashes[i]) | (half & hashes[i + 1]);
            sum1 = half ^ hashes[i + 1];
            half = sum1 ^ hashes[i + 2];
            long second2 = (sum1 & hashes[i + 2]) | (half & hashes[i + 3]);
            sum1 = half ^ hashes[i + 3];
            half = sum1 ^ hashes[i + 4];
            long third2 = (sum1 & hashes[i + 4]) | (half & hashes[i + 5]);
            sum1 = half ^ hashes[i + 5];
            half = sum1 ^ hashes[i + 6];
            long fourth2 = (sum1 & hashes[i + 6]) | (half & hashes[i + 7]);
            sum1 = half ^ hashes[i + 7];
            half = sum2 ^ first2;
            long first4 = (sum2 & first2) | (half & second2);
            sum2 = half ^ second2;
            half = sum2 ^ third2;
            long second4 = (sum2 & third2) | (half & fourth2);
            sum2 = half ^ fourth2;
            half = sum4 ^ first4;
            countBlock((sum4 & first4) | (half & second4));
            sum4 = half ^ second4;
        }
        for (int bit = 0; bit < Long.SIZE; bit++) {
            long count = (sum1 >>> bit & 1) + 2 * (sum2 >>> bit & 1) + 4 * (sum4 >>> bit & 1);
            sums[bit] += count * Weighting.ONE;
        }
        waitingOnes = 0;
    }

    private void countBlock(long hasBits) {
        if (room == 0) {
            spill();
        }
        room--;
        for (int w = 0; w < WORDS; w++) {
            lanes[w] += (hasBits >>> w) & LOWEST_OF_EACH_LANE;
        }
    }

    private void spill() {
        for (int w = 0; w < WORDS; w++) {
            long word = lanes[w];
            for (int lane = 0; lane < LANES; lane++) {
                sums[w + WORDS * lane] += ((word >>> (WORDS * lane)) & LANE_MAX) * BLOCK * Weighting.ONE;
            }
        }
        Arrays.fill(lanes, 0);
        room = LANE_MAX;
    }

    private void spillLongLanes() {
        for (int w = 0; w < LONG_WORDS; w++) {
            long word = longLanes[w];
            for (int lane = 0; lane < LONG_LANES; lane++) {
                sums[w + LONG_WORDS * lane] += (word >>> (LONG_WORDS * lane)) & LONG_LANE_MAX;
            }
        }
        Arrays.fill(longLanes, 0);
        longRoom = LONG_LANE_MAX;
    }
}
