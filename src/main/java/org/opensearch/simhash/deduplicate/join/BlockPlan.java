/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the bits of a fingerprint into n blocks, so that links meet in buckets: two fingerprints that differ in at most
 * k bits agree on at least n - k blocks (Manku, Jain, Das Sarma, "Detecting Near-Duplicates for Web Crawling", WWW
 * 2007). Each choice of n - k blocks, a <i>combination</i>, sorts the fingerprints into buckets once.
 *
 * <p>A pair that agrees on several combinations belongs to the first of them, so each link is found once. With n = k
 * the only combination is empty: all pairs are compared.
 *
 * <p>Immutable.
 *
 * @param blocks disjoint masks of bits
 * @param distance greatest number of differing bits, k
 */
record BlockPlan(List<Long> blocks, int distance) implements JoinPlan {

    BlockPlan {
        if (blocks.size() < distance || blocks.size() > Integer.SIZE - 2) {
            throw new IllegalArgumentException(blocks.size() + " blocks for distance " + distance);
        }
        blocks = List.copyOf(blocks);
    }

    static BlockPlan quadratic(int distance) {
        List<Long> none = new ArrayList<>();
        for (int i = 0; i < distance; i++) {
            none.add(0L);
        }
        return new BlockPlan(none, distance);
    }

    @Override
    public boolean isQuadratic() {
        return blocks.size() == distance;
    }

    /** Every combination begins with one of the first k + 1 blocks. */
    @Override
    public int deals() {
        return distance + 1;
    }

    /** One more than the block has: else two values could share a hash. */
    @Override
    public int binBits(int deal) {
        return Long.bitCount(blocks.get(deal)) + 1;
    }

    /** By a hash of the block. */
    @Override
    public int bin(int deal, long value, int bits) {
        return Buckets.bin(value & blocks.get(deal), 0, Long.SIZE - bits);
    }

    /** The combinations. Bit i stands for block i. */
    int[] combinations() {
        return combinations(blocks.size(), agreeing());
    }

    static int[] combinations(int blocks, int agreeing) {
        List<Integer> sets = new ArrayList<>();
        for (int set = 0; set < 1 << blocks; set++) {
            if (Integer.bitCount(set) == agreeing) {
                sets.add(set);
            }
        }
        return sets.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The bits on which the fingerprints of a bucket agree. */
    long mask(int combination) {
        long mask = 0;
        for (int i = 0; i < blocks.size(); i++) {
            mask |= (combination >>> i & 1) == 0 ? 0 : blocks.get(i);
        }
        return mask;
    }

    int agreeing() {
        return blocks.size() - distance;
    }

    /**
     * Whether the combination of a pair begins with the given blocks.
     *
     * @param first the blocks, bit by bit
     * @param differing the bits in which the pair differs
     */
    boolean begins(int first, long differing) {
        for (int i = 0, rest = first; rest != 0; i++, rest >>>= 1) {
            if (((differing & blocks.get(i)) == 0) != ((rest & 1) != 0)) {
                return false;
            }
        }
        return true;
    }
}
