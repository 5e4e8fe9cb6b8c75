/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.deduplicate.join.RadiusPlan.Block;

/**
 * Joins bins by a block of a {@link RadiusPlan}: sorts them into buckets and compares the buckets within the radius.
 *
 * <p>Memory: a copy of two bins, and the starts of their buckets. Not thread-safe.
 */
final class RadiusJoin {

    /** Receives each link once, in no order. */
    interface Sink {

        /** Two fingerprints by number. */
        void pair(int a, int b, int distance);

        /**
         * Receives the number of pairs compared since the last call.
         *
         * @throws RuntimeException to end the search
         */
        void compared(long pairs);
    }

    /** Bins by number. */
    interface Source {
        void get(int bin, Bins.Taker taker);
    }

    /** A bin, sorted into buckets. */
    private final class Sorted {
        private long[] values = new long[0];
        private int[] numbers = new int[0];
        private int[] starts = new int[0];

        void sort(long[] from, int[] fromNumbers, int first, int end, Block block, int buckets) {
            require(end - first, buckets);
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
                numbers[slot] = fromNumbers[i];
            }
        }

        private void require(int count, int buckets) {
            if (values.length < count) {
                memory.accept((long) (count - values.length) * Bins.BYTES);
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
     * Finds the links of a bin with itself and with later bins that are near by a block and by none before it.
     *
     * @param number of the block
     * @param binBits log2 of the number of bins
     */
    void join(RadiusPlan plan, int number, int binBits, int bin, Source source) {
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

    private void load(int bin, Sorted sorted, Block block, Source source) {
        source.get(bin, (values, numbers, from, to) -> sorted.sort(values, numbers, from, to, block, buckets));
        comparer.reportCompared();
    }

    private void prepare(RadiusPlan ofPlan, int ofNumber, int binBits) {
        int ofBuckets = 1 << (ofPlan.binBits(ofNumber) - binBits);
        if (ofPlan.equals(plan) && number == ofNumber && buckets == ofBuckets) {
            return;
        }
        plan = ofPlan;
        number = ofNumber;
        buckets = ofBuckets;
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
