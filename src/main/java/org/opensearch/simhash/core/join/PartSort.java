/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.memory.RadixSort;

/**
 * Sorts values, each with a number that belongs to it: deals them to parts that fit into the processor's cache, and sorts one part
 * after the other. Equal values are in one part, in the order in which they came. One thread.
 *
 * <p>Memory: on the heap {@value #ROW_BYTES} bytes for each value of the largest part, and 16 for each value, or in files.
 */
final class PartSort implements AutoCloseable {

    private static final int PART = 1 << 14;
    private static final int MOST_PARTS = 1 << 10;

    /** Values that are read at a time. */
    private static final int SEGMENT = 1 << 14;

    /** Of the spare columns and the order. */
    private static final int ROW_BYTES = Long.BYTES + 2 * Integer.BYTES;

    /** Odd, with well-mixed bits: parts are alike in size. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    interface Source {

        /** Copies the values of the rows in {@code [from, end)} that have one. Returns how many. */
        int read(int from, int end, long[] values, long[] numbers);
    }

    /** Takes one part after the other. */
    interface Taker {
        void take(long[] values, long[] numbers, int count);
    }

    private final Path folder;
    private final Account memory;
    private final LongConsumer progress;
    private final Bins.Room part;
    private long[] spare = new long[0];
    private int[] order = new int[0];
    private int[] spareOrder = new int[0];

    /** @param folder of files; null for the heap */
    PartSort(Path folder, Account memory, LongConsumer progress) {
        this.folder = folder;
        this.memory = new Account(memory);
        this.progress = progress;
        this.part = new Bins.Room(this.memory);
    }

    /** @param values how many there are in the rows */
    void sort(Source source, int rows, int values, Taker taker) {
        if (values <= PART) {
            part.require(values);
            int[] at = {0};
            forEachSegment(source, rows, (some, numbers, count) -> {
                System.arraycopy(some, 0, part.values, at[0], count);
                System.arraycopy(numbers, 0, part.numbers, at[0], count);
                at[0] += count;
            });
            sortPart(values, taker);
            return;
        }
        int[] sizes = new int[Math.min(MOST_PARTS, values / PART + 1)];
        forEachSegment(source, rows, (some, numbers, count) -> {
            for (int i = 0; i < count; i++) {
                sizes[part(some[i], sizes.length)]++;
            }
        });
        try (Bins bins = new Bins(Bins.starts(sizes), folder, memory)) {
            deal(source, rows, bins, sizes.length);
            for (int bin = 0; bin < sizes.length; bin++) {
                progress.accept(0);
                bins.copy(bin, part);
                sortPart(sizes[bin], taker);
            }
        }
    }

    private void deal(Source source, int rows, Bins bins, int count) {
        long bytes = Bins.Dealer.bytes(count);
        memory.take(bytes);
        Bins.Dealer dealer = new Bins.Dealer(bins, count);
        forEachSegment(source, rows, (some, numbers, size) -> {
            for (int i = 0; i < size; i++) {
                dealer.add(part(some[i], count), some[i], numbers[i]);
            }
        });
        dealer.end();
        memory.give(bytes);
    }

    private static int part(long value, int parts) {
        long hash = value * SPREAD;
        return (int) Long.remainderUnsigned(hash ^ (hash >>> Integer.SIZE), parts);
    }

    private void forEachSegment(Source source, int rows, Taker taker) {
        int room = Math.min(rows, SEGMENT);
        long[] values = new long[room];
        long[] numbers = new long[room];
        for (int from = 0; from < rows; from += room) {
            progress.accept(0);
            taker.take(values, numbers, source.read(from, Math.min(rows, from + room), values, numbers));
        }
    }

    private void sortPart(int count, Taker taker) {
        if (spare.length < count) {
            memory.take((long) (count - spare.length) * ROW_BYTES);
            spare = new long[count];
            order = new int[count];
            spareOrder = new int[count];
        }
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        RadixSort.sort(part.values, order, count, spare, spareOrder);
        for (int i = 0; i < count; i++) {
            spare[i] = part.numbers[order[i]];
        }
        taker.take(part.values, spare, count);
    }

    @Override
    public void close() {
        memory.close();
    }
}
