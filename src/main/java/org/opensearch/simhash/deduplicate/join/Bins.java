/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongConsumer;
import org.opensearch.simhash.memory.Account;

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
}
