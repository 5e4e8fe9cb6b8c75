/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongConsumer;
import org.opensearch.simhash.memory.Account;

/** Values with their numbers, dealt to bins of known sizes. Many threads put in, then many take out. */
interface Bins extends AutoCloseable {

    /** Of a value and its number. */
    int BYTES = Long.BYTES + Integer.BYTES;

    /** Adds to a bin. */
    void put(int bin, long[] values, int[] numbers, int from, int count);

    /** Where a bin is copied to that is not on the heap; grows. One thread. */
    final class Room {
        private final LongConsumer memory;
        private long[] values = new long[0];
        private int[] numbers = new int[0];

        /** @param memory is told the bytes before they are taken, and may refuse them */
        Room(LongConsumer memory) {
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

    /** Takes a bin. */
    interface Taker {
        void take(long[] values, int[] numbers, int from, int to);
    }

    void get(int bin, Room room, Taker taker);

    @Override
    void close();

    /** On the heap. */
    final class OnHeap implements Bins {

        private final int[] starts;
        private final AtomicIntegerArray next;
        private final long[] values;
        private final int[] numbers;
        private final Account memory;

        /** @param starts of the bins, and behind them the end */
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
        public void get(int bin, Room room, Taker taker) {
            taker.take(values, numbers, starts[bin], starts[bin + 1]);
        }

        @Override
        public void close() {
            memory.give((long) values.length * BYTES);
        }
    }
}
