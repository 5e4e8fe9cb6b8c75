/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.List;

/**
 * Blocks of bits with radii, so that links meet in buckets that are near each other. Each radius plus one, added up, is
 * k + 1. So two fingerprints that differ in at most k bits are within the radius of some block: else they would differ
 * in k + 1 bits (Norouzi, Punjani, Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", CVPR 2012). Each
 * block sorts the fingerprints into buckets once, and each bucket is compared with all buckets within the radius.
 *
 * <p>A pair that is near by several blocks belongs to the first of them, so each link is found once.
 *
 * <p>Immutable.
 *
 * @param distance greatest number of differing bits, k
 */
record RadiusPlan(List<Block> blocks, int distance) {

    /** Greatest number of bits of a block. */
    static final int MOST_BITS = 26;

    /**
     * Two fingerprints are near by a block if they differ in at most {@code radius} of its bits.
     *
     * @param first the bits that tell bins apart
     * @param rest the bits that tell the buckets of a bin apart
     */
    record Block(long first, long rest, int radius) {

        Block {
            if (Long.bitCount(first) + Long.bitCount(rest) > MOST_BITS || (first & rest) != 0) {
                throw new IllegalArgumentException("a block of " + first + " and " + rest);
            }
        }

        int bits() {
            return Long.bitCount(mask());
        }

        long mask() {
            return first | rest;
        }

        /** The bits of the block next to one another, the first bits highest. */
        int key(long value) {
            return (int) (Long.compress(value, first) << Long.bitCount(rest) | Long.compress(value, rest));
        }

        boolean isNear(long differing) {
            return Long.bitCount(differing & mask()) <= radius;
        }
    }

    RadiusPlan {
        blocks = List.copyOf(blocks);
        long all = 0;
        int radii = 0;
        for (Block block : blocks) {
            if ((all & block.mask()) != 0) {
                throw new IllegalArgumentException("blocks share bits: " + blocks);
            }
            all |= block.mask();
            radii += block.radius + 1;
        }
        if (radii != distance + 1) {
            throw new IllegalArgumentException("radii do not suit distance " + distance + ": " + blocks);
        }
    }

    /** Compares all pairs: one block, without bits. */
    static RadiusPlan whole(int distance) {
        return new RadiusPlan(List.of(new Block(0, 0, distance)), distance);
    }

    /** Whether all pairs are compared. */
    boolean isWhole() {
        return blocks.size() == 1 && blocks.getFirst().bits() == 0;
    }

    /** How often the fingerprints are dealt to bins. */
    int deals() {
        return blocks.size();
    }

    /** Greatest number of bits by which a deal can tell bins apart. */
    int binBits(int deal) {
        return blocks.get(deal).bits();
    }

    /**
     * The bin of a fingerprint: the highest bits of its key, so that buckets within a radius lie in bins within it.
     *
     * @param bits log2 of the number of bins
     */
    int bin(int deal, long value, int bits) {
        Block block = blocks.get(deal);
        return block.key(value) >>> (block.bits() - bits);
    }

    /** Whether a pair that is near by a block is near by none before it. */
    boolean owns(int block, long differing) {
        for (int before = 0; before < block; before++) {
            if (blocks.get(before).isNear(differing)) {
                return false;
            }
        }
        return true;
    }
}
