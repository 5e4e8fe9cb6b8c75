/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Arrays;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;

/**
 * The 64 weighted counters of a SimHash (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC
 * 2002). A feature adds its weight to the counters of the bits that are set in its hash, and subtracts it from the
 * others. A bit of the fingerprint is set when its counter is above 0.
 *
 * <p>Only set bits are summed: the textbook's counter is {@code 2 * sum - total}. Votes of one weight
 * go eight at a time through a tree of carry-save adders (Harley and Seal; Warren, "Hacker's Delight", 5-1). Their
 * carries are counted in lanes of 8 bits, eight to a {@code long}. Other weights are summed in lanes of 16 bits: 16
 * multiplications for 64 counters. The lanes spill into wide counters before they overflow.
 *
 * <p>The order of the votes does not matter, since sums are integers. Not thread-safe.
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

    /** Carry-save adders: bit {@code b} of the three fields is the counter of bit {@code b}, modulo eight. */
    private long sum1;

    private long sum2;
    private long sum4;

    /** The weight of the votes in the adders and in {@link #lanes}. */
    private long common = Weighting.ONE;

    /** Lane {@code l} of word {@code w} counts eights of votes of the common weight for bit {@code w + 8 l}. */
    private final long[] lanes = new long[WORDS];

    private int room = LANE_MAX;
    private final long[] lastBlock = new long[BLOCK];

    /** Votes of other weights that are not yet summed. */
    private final long[] others = new long[PENDING];

    private final long[] weights = new long[PENDING];
    private int waiting;

    /** Lane {@code l} of word {@code w} sums the other weights for bit {@code w + 16 l}. */
    private final long[] longLanes = new long[LONG_WORDS];

    private long longRoom = LONG_LANE_MAX;

    private final long[] sums = new long[Long.SIZE];
    private long total;

    /** Adds a vote of a weight above 0 for each of the first {@code size} hashes. Faster than {@link #add}. */
    void addAll(long[] hashes, int size, long weight) {
        if (weight != common) {
            spill();
            common = weight;
        }
        total += size * weight;
        int blocks = size - size % BLOCK;
        for (int i = 0; i < blocks; i += BLOCK) {
            addBlock(hashes, i);
        }
        Arrays.fill(lastBlock, 0);
        System.arraycopy(hashes, blocks, lastBlock, 0, size - blocks);
        addBlock(lastBlock, 0);
    }

    /** @param weight 0 or more, in units of 1/{@link Weighting#ONE} */
    void add(long hash, long weight) {
        total += weight;
        others[waiting] = hash;
        weights[waiting] = weight;
        // No branch: whether a feature has weight here is unpredictable.
        waiting += (int) (-weight >>> (Long.SIZE - 1));
        if (waiting == PENDING) {
            addOthers();
        }
    }

    /** The fingerprint of the votes so far. A tie leaves the bit 0. */
    long fingerprint() {
        addOthers();
        spill();
        spillLongLanes();
        long fingerprint = 0;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            // The sign bit replaces a branch that is unpredictable.
            fingerprint |= ((total - 2 * sums[bit]) >>> (Long.SIZE - 1)) << bit;
        }
        return fingerprint;
    }

    void clear() {
        sum1 = 0;
        sum2 = 0;
        sum4 = 0;
        Arrays.fill(lanes, 0);
        Arrays.fill(longLanes, 0);
        Arrays.fill(sums, 0);
        total = 0;
        common = Weighting.ONE;
        room = LANE_MAX;
        longRoom = LONG_LANE_MAX;
        waiting = 0;
    }

    private void addOthers() {
        for (int i = 0; i < waiting; i++) {
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
        waiting = 0;
    }

    private void addOne(long hash, long weight) {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            sums[bit] += ((hash >>> bit) & 1) * weight;
        }
    }

    private void addBlock(long[] hashes, int from) {
        long half = sum1 ^ hashes[from];
        long first2 = (sum1 & hashes[from]) | (half & hashes[from + 1]);
        long ones = half ^ hashes[from + 1];
        half = ones ^ hashes[from + 2];
        long second2 = (ones & hashes[from + 2]) | (half & hashes[from + 3]);
        ones = half ^ hashes[from + 3];
        half = ones ^ hashes[from + 4];
        long third2 = (ones & hashes[from + 4]) | (half & hashes[from + 5]);
        ones = half ^ hashes[from + 5];
        half = ones ^ hashes[from + 6];
        long fourth2 = (ones & hashes[from + 6]) | (half & hashes[from + 7]);
        sum1 = half ^ hashes[from + 7];
        half = sum2 ^ first2;
        long first4 = (sum2 & first2) | (half & second2);
        long twos = half ^ second2;
        half = twos ^ third2;
        long second4 = (twos & third2) | (half & fourth2);
        sum2 = half ^ fourth2;
        half = sum4 ^ first4;
        long eights = (sum4 & first4) | (half & second4);
        sum4 = half ^ second4;
        countEight(eights);
    }

    private void countEight(long hasBits) {
        if (room == 0) {
            spill();
        }
        room--;
        for (int w = 0; w < WORDS; w++) {
            lanes[w] += lowest(hasBits, w);
        }
    }

    private void spill() {
        for (int w = 0; w < WORDS; w++) {
            long eights = lanes[w];
            long rest = lowest(sum1, w) + 2 * lowest(sum2, w) + 4 * lowest(sum4, w);
            for (int lane = 0; lane < LANES; lane++) {
                long count = BLOCK * ((eights >>> (WORDS * lane)) & LANE_MAX) + ((rest >>> (WORDS * lane)) & LANE_MAX);
                sums[w + WORDS * lane] += count * common;
            }
        }
        sum1 = 0;
        sum2 = 0;
        sum4 = 0;
        Arrays.fill(lanes, 0);
        room = LANE_MAX;
    }

    private static long lowest(long bits, int word) {
        return (bits >>> word) & LOWEST_OF_EACH_LANE;
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
