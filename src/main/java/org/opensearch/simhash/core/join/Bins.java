/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.memory.Account;

/** Values with their numbers in bins of known sizes. Many threads write, then many threads read. */
interface Bins extends AutoCloseable {

    /** Bytes of a value and its number. */
    int BYTES = Long.BYTES + Integer.BYTES;

    void put(int bin, long[] values, int[] numbers, int from, int count);

    /** A buffer for bins that are not on the heap. It grows. Not thread-safe. */
    final class Buffer {
        private final LongConsumer memory;
        private long[] values = new long[0];
        private int[] numbers = new int[0];

        Buffer(LongConsumer memory) {
            this.memory = memory;
        }

        void require(int count) {
            if (values.length < count) {
                memory.accept((long) (count - values.length) * BYTES);
                values = new long[count];
                numbers = new int[count];
            }
        }

        long[] values() {
            return values;
        }

        int[] numbers() {
            return numbers;
        }
    }

    /** Receives the content of a bin. */
    interface Taker {
        void take(long[] values, int[] numbers, int from, int to);
    }

    void get(int bin, Buffer room, Taker taker);

    @Override
    void close();

    final class OnHeap implements Bins {

        private final int[] starts;
        private final AtomicIntegerArray next;
        private final long[] values;
        private final int[] numbers;
        private final Account memory;

        /** @param starts start of each bin, then the end of the last one */
        OnHeap(int[] starts, Account memory) {
            int size = starts[starts.length - 1];
            this.memory = memory;
            memory.take((long) size * BYTES);
            this.starts = starts;
            this.next = new AtomicIntegerArray(starts);
            this.values = new long[size];
            this.numbers = new int[size];
        }

        @Override
        public void put(int bin, long[] fromValues, int[] fromNumbers, int from, int count) {
            int to = next.getAndAdd(bin, count);
            System.arraycopy(fromValues, from, values, to, count);
            System.arraycopy(fromNumbers, from, numbers, to, count);
        }

        @Override
        public void get(int bin, Buffer room, Taker taker) {
            taker.take(values, numbers, starts[bin], starts[bin + 1]);
        }

        @Override
        public void close() {
            memory.give((long) values.length * BYTES);
        }
    }

    /** Bins in two files: values and numbers. */
    final class InFiles implements Bins {

        private final int[] starts;
        private final AtomicIntegerArray next;
        private final ScratchFile values;
        private final ScratchFile numbers;

        /** @param starts start of each bin, then the end of the last one */
        InFiles(int[] starts, Path folder) {
            this.starts = starts;
            this.next = new AtomicIntegerArray(starts);
            this.values = new ScratchFile(folder);
            try {
                this.numbers = new ScratchFile(folder);
            } catch (RuntimeException e) {
                values.close();
                throw e;
            }
        }

        @Override
        public void put(int bin, long[] fromValues, int[] fromNumbers, int from, int count) {
            long to = next.getAndAdd(bin, count);
            values.write(to * Long.BYTES, fromValues, from, count);
            numbers.write(to * Integer.BYTES, fromNumbers, from, count);
        }

        @Override
        public void get(int bin, Buffer room, Taker taker) {
            int count = starts[bin + 1] - starts[bin];
            room.require(count);
            values.read((long) starts[bin] * Long.BYTES, room.values(), 0, count);
            numbers.read((long) starts[bin] * Integer.BYTES, room.numbers(), 0, count);
            taker.take(room.values(), room.numbers(), 0, count);
        }

        @Override
        public void close() {
            values.close();
            numbers.close();
        }
    }

    /** Deals the values of a large stratum to bins, as often as its plan says. */
    static final class DealtSlice {

        /** Values that a thread deals at a time. */
        private static final int SEGMENT = 1 << 14;

        /** Per dealing thread. */
        static final long SEGMENT_BYTES = (long) SEGMENT * Bins.BYTES;

        /** Values of a bin that fit into the processor's cache. */
        private static final int BIN = 1 << 15;

        private static final int MOST_BITS = 11;

        private final PairSearch.Values fingerprints;
        private final Fingerprints.Slice slice;
        private final RadiusPlan plan;
        private final LongConsumer progress;

        private final int[] binBits;

        /** Values per bin, by deal, shifted by one. */
        private final int[][] counts;

        DealtSlice(PairSearch.Values fingerprints, Fingerprints.Slice slice, RadiusPlan plan, LongConsumer progress) {
            this.fingerprints = fingerprints;
            this.slice = slice;
            this.plan = plan;
            this.progress = progress;
            this.binBits = new int[plan.deals()];
            this.counts = new int[binBits.length][];
            for (int deal = 0; deal < binBits.length; deal++) {
                binBits[deal] = Math.min(enoughBits(slice.size()), plan.binBits(deal));
                counts[deal] = new int[bins(deal) + 1];
            }
        }

        /** Log2 of the number of bins for so many values, if a deal can tell so many bins apart. */
        static int enoughBits(long count) {
            return Math.clamp(Long.SIZE - Long.numberOfLeadingZeros(count / BIN), 1, MOST_BITS);
        }

        RadiusPlan plan() {
            return plan;
        }

        int binBits(int deal) {
            return binBits[deal];
        }

        int bins(int deal) {
            return 1 << binBits[deal];
        }

        int size(int deal, int bin) {
            return counts[deal][bin + 1];
        }

        int largestBin() {
            return Arrays.stream(counts).flatMapToInt(Arrays::stream).max().orElse(0);
        }

        /** Start of each bin, then the end of the last one. */
        int[] starts(int deal) {
            int[] starts = counts[deal].clone();
            for (int bin = 1; bin < starts.length; bin++) {
                starts[bin] += starts[bin - 1];
            }
            return starts;
        }

        int segments() {
            return (slice.size() + SEGMENT - 1) / SEGMENT;
        }

        private int read(int segment, long[] values, int[] numbers) {
            int from = slice.from() + segment * SEGMENT;
            progress.accept(0);
            return fingerprints.read(from, Math.min(slice.to(), from + SEGMENT), values, numbers);
        }

        /** Called by one thread at a time. */
        void count(int segment) {
            long[] values = new long[SEGMENT];
            int count = read(segment, values, new int[SEGMENT]);
            for (int deal = 0; deal < binBits.length; deal++) {
                int bits = binBits[deal];
                int[] ofDeal = counts[deal];
                for (int i = 0; i < count; i++) {
                    ofDeal[1 + plan.bin(deal, values[i], bits)]++;
                }
            }
        }

        IntConsumer dealing(int deal, Dealer dealer) {
            long[] values = new long[SEGMENT];
            int[] numbers = new int[SEGMENT];
            int bits = binBits[deal];
            return segment -> {
                int count = read(segment, values, numbers);
                for (int i = 0; i < count; i++) {
                    dealer.add(plan.bin(deal, values[i], bits), values[i], numbers[i]);
                }
            };
        }

        /** Collects values for each bin and writes them to {@link Bins} in batches. Not thread-safe. */
        static final class Dealer {

            /** Values of a batch. */
            private static final int SOME = 128;

            private final Bins bins;
            private final long[] values;
            private final int[] numbers;
            private final int[] counts;

            Dealer(Bins bins, int count) {
                this.bins = bins;
                this.values = new long[count * SOME];
                this.numbers = new int[count * SOME];
                this.counts = new int[count];
            }

            /** Bytes of heap. */
            static long bytes(int bins) {
                return (long) bins * (SOME * Bins.BYTES + Integer.BYTES);
            }

            void add(int bin, long value, int number) {
                int at = bin * SOME + counts[bin];
                values[at] = value;
                numbers[at] = number;
                if (++counts[bin] == SOME) {
                    flush(bin);
                }
            }

            private void flush(int bin) {
                bins.put(bin, values, numbers, bin * SOME, counts[bin]);
                counts[bin] = 0;
            }

            /** Writes the batches that are not full. */
            void end() {
                for (int bin = 0; bin < counts.length; bin++) {
                    if (counts[bin] > 0) {
                        flush(bin);
                    }
                }
            }
        }
    }
}
