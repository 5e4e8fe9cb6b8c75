/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.join.RadiusPlan.Block;

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

    static final int MOST_BITS = 26;

    /**
     * Two fingerprints are near by a block if they differ in at most {@code radius} of its bits, of which the first
     * tell bins apart, the rest their buckets.
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

    /** The bin of a fingerprint: the highest bits of its key, so that buckets within a radius lie in bins within it. */
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

    /**
     * Joins bins by a block of a {@link RadiusPlan}: sorts them into buckets and compares the buckets within the radius.
     *
     * <p>Memory: a copy of two bins, and the starts of their buckets. Not thread-safe.
     */
    static final class RadiusJoin {

        /** Receives each link once, in no order. */
        interface Sink {

            void pair(int a, int b, int distance);

            /** Receives the number of pairs compared since the last call. */
            void compared(long pairs);
        }

        /** Of a value and its number. */
        static final int BYTES = Long.BYTES + Integer.BYTES;

        /** A bin, sorted into buckets. */
        private final class Sorted {
            private long[] values = new long[0];
            private int[] numbers = new int[0];
            private int[] starts = new int[0];

            void sort(Bins.Bin bin, Block block, int buckets) {
                require(bin.size(), buckets);
                long[] from = bin.values();
                long[] fromNumbers = bin.numbers();
                int first = bin.from();
                int end = first + bin.size();
                int mask = buckets - 1;
                Arrays.fill(starts, 0, buckets + 1, 0);
                for (int i = first; i < end; i++) {
                    starts[block.key(from[i]) & mask]++;
                }
                int sum = 0;
                for (int bucket = 0; bucket <= buckets; bucket++) {
                    sum += starts[bucket];
                    starts[bucket] = sum;
                }
                for (int i = end - 1; i >= first; i--) {
                    int slot = --starts[block.key(from[i]) & mask];
                    values[slot] = from[i];
                    numbers[slot] = fromNumbers == null ? i : (int) fromNumbers[i];
                }
            }

            private void require(int count, int buckets) {
                if (values.length < count) {
                    memory.accept((long) (count - values.length) * BYTES);
                    values = new long[count];
                    numbers = new int[count];
                }
                if (starts.length <= buckets) {
                    memory.accept((long) (buckets + 1 - starts.length) * Integer.BYTES);
                    starts = new int[buckets + 1];
                }
            }
        }

        private final Sink sink;
        private final LongConsumer memory;
        private final Sorted own;
        private final Sorted other;
        private final Comparer comparer;

        /** The bin that is compared with the own one: at first the own one itself. */
        private Sorted with;

        private RadiusPlan plan;
        private int number;
        private int buckets;

        /** The differences of buckets within the radius, those in fewest bits first; and those of bins. */
        private int[] flips = new int[0];

        private int[] binFlips = new int[0];
        private int flipBytes;

        /** @param memory gets nothing back before the end */
        RadiusJoin(int distance, Sink sink, LongConsumer memory) {
            this.sink = sink;
            this.memory = memory;
            this.own = new Sorted();
            this.other = new Sorted();
            this.comparer = new Comparer(distance, this::meet, sink::compared);
        }

        /**
         * Finds the links of a bin with itself and with later bins that are near by this block and by none before it.
         *
         * @param source has bins by number, the content of one until the next is asked for
         */
        void join(RadiusPlan plan, int number, int binBits, int bin, IntFunction<Bins.Bin> source) {
            Block block = plan.blocks().get(number);
            prepare(plan, number, binBits);
            load(bin, own, block, source);
            for (int flip : binFlips) {
                int otherBin = bin ^ flip;
                int radius = block.radius() - Integer.bitCount(flip);
                if (otherBin == bin) {
                    compare(own, radius);
                } else if (otherBin > bin) {
                    load(otherBin, other, block, source);
                    compare(other, radius);
                }
            }
            comparer.reportCompared();
        }

        private void load(int bin, Sorted sorted, Block block, IntFunction<Bins.Bin> source) {
            sorted.sort(source.apply(bin), block, buckets);
            comparer.reportCompared();
        }

        private void prepare(RadiusPlan nextPlan, int nextNumber, int binBits) {
            int nextBuckets = 1 << (nextPlan.binBits(nextNumber) - binBits);
            if (nextPlan.equals(plan) && number == nextNumber && buckets == nextBuckets) {
                return;
            }
            plan = nextPlan;
            number = nextNumber;
            buckets = nextBuckets;
            int radius = plan.blocks().get(number).radius();
            flips = flips(buckets, radius);
            binFlips = flips(1 << binBits, radius);
            int bytes = (flips.length + binFlips.length) * Integer.BYTES;
            memory.accept(Math.max(0, bytes - flipBytes));
            flipBytes = Math.max(bytes, flipBytes);
        }

        /** All differences of numbers below {@code count}, a power of 2, in at most {@code radius} bits. */
        static int[] flips(int count, int radius) {
            return IntStream.rangeClosed(0, radius)
                    .flatMap(bits -> IntStream.range(0, count).filter(flip -> Integer.bitCount(flip) == bits))
                    .toArray();
        }

        private void compare(Sorted bin, int radius) {
            with = bin;
            for (int bucket = 0; bucket < buckets; bucket++) {
                int start = own.starts[bucket];
                int end = own.starts[bucket + 1];
                if (start == end) {
                    continue;
                }
                if (with == own) {
                    comparer.within(own.values, start, end);
                }
                for (int flip : flips) {
                    int otherBucket = bucket ^ flip;
                    if (Integer.bitCount(flip) > radius) {
                        break;
                    }
                    if (with != own || otherBucket > bucket) {
                        comparer.between(
                                own.values,
                                start,
                                end,
                                with.values,
                                with.starts[otherBucket],
                                with.starts[otherBucket + 1]);
                    }
                }
            }
        }

        private void meet(int i, int j, long differing) {
            if (plan.owns(number, differing)) {
                sink.pair(own.numbers[i], with.numbers[j], Long.bitCount(differing));
            }
        }
    }
}
