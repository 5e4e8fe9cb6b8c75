/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.memory.Account;

/** Values, each with a number that belongs to it, in bins of known sizes. Many threads put them there, then many threads read them. */
final class Bins implements AutoCloseable {

    /** Of a value and its number. */
    static final int BYTES = 2 * Long.BYTES;

    private final int[] starts;
    private final AtomicIntegerArray next;
    private final Column values;
    private final Column numbers;

    /** @param starts start of each bin, then the end of the last one */
    Bins(int[] starts, Path folder, Account memory) {
        this.starts = starts;
        this.next = new AtomicIntegerArray(starts);
        int size = starts[starts.length - 1];
        this.values = new Column(size, folder, memory);
        try {
            this.numbers = new Column(size, folder, memory);
        } catch (RuntimeException e) {
            values.close();
            throw e;
        }
    }

    /** The starts of bins, and the end of the last one. */
    static int[] starts(int[] sizes) {
        int[] starts = new int[sizes.length + 1];
        for (int bin = 0; bin < sizes.length; bin++) {
            starts[bin + 1] = starts[bin] + sizes[bin];
        }
        return starts;
    }

    int size(int bin) {
        return starts[bin + 1] - starts[bin];
    }

    /** The content of a bin, from a place in the arrays on. Without numbers they are those from 0 on. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Bin(long[] values, long[] numbers, int from, int size) {}

    /** A bin where it is, or its copy in a room. */
    Bin get(int bin, Room room) {
        return values.array() == null
                ? copy(bin, room)
                : new Bin(values.array(), numbers.array(), starts[bin], size(bin));
    }

    Bin copy(int bin, Room room) {
        room.require(size(bin));
        values.get(starts[bin], room.values, 0, size(bin));
        numbers.get(starts[bin], room.numbers, 0, size(bin));
        return new Bin(room.values, room.numbers, 0, size(bin));
    }

    @Override
    public void close() {
        try (values) {
            numbers.close();
        }
    }

    /** Room for the content of a bin. It grows. Not thread-safe. */
    static final class Room {

        private final LongConsumer memory;
        long[] values = new long[0];
        long[] numbers = new long[0];

        Room(LongConsumer memory) {
            this.memory = memory;
        }

        void require(int count) {
            requireValues(count);
            if (numbers.length < count) {
                memory.accept((long) (count - numbers.length) * Long.BYTES);
                numbers = new long[count];
            }
        }

        void requireValues(int count) {
            if (values.length < count) {
                memory.accept((long) (count - values.length) * Long.BYTES);
                values = new long[count];
            }
        }
    }

    /** Collects values for each bin and puts them there in batches. Not thread-safe. */
    static final class Dealer {

        private static final int SOME = 128;

        private final Bins bins;
        private final long[] values;
        private final long[] numbers;
        private final int[] counts;

        Dealer(Bins bins, int count) {
            this.bins = bins;
            this.values = new long[count * SOME];
            this.numbers = new long[count * SOME];
            this.counts = new int[count];
        }

        static long bytes(int bins) {
            return (long) bins * (SOME * Bins.BYTES + Integer.BYTES);
        }

        void add(int bin, long value, long number) {
            int at = bin * SOME + counts[bin];
            values[at] = value;
            numbers[at] = number;
            if (++counts[bin] == SOME) {
                flush(bin);
            }
        }

        private void flush(int bin) {
            int to = bins.next.getAndAdd(bin, counts[bin]);
            bins.values.put(to, values, bin * SOME, counts[bin]);
            bins.numbers.put(to, numbers, bin * SOME, counts[bin]);
            counts[bin] = 0;
        }

        /** Puts the batches that are not full. */
        void end() {
            for (int bin = 0; bin < counts.length; bin++) {
                flush(bin);
            }
        }
    }
}
