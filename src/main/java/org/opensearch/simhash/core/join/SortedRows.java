/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.core.memory.Account;

/**
 * Sorts rows by stratum and fingerprint in files. It deals them to partitions and sorts each partition on the heap.
 * Small strata share a partition; a large one has several. Equal fingerprints are in one partition. Not thread-safe.
 */
final class SortedRows implements AutoCloseable {

    static final int ROW_BYTES = 2 * Long.BYTES + Integer.BYTES;

    /** Rows of a partition that are written together. */
    private static final int SOME = 1 << 9;

    /** A partition of this size fits into the processor's cache. */
    private static final int SMALL = 1 << 17;

    private static final int MOST_PARTITIONS = 1 << 10;

    /** Odd, with well-mixed bits: partitions are alike in size. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** Per row while its partition is sorted. */
    private static final int SORT_BYTES = ROW_BYTES + Long.BYTES + Integer.BYTES + RadixSort.BYTES;

    private final Account memory;
    private final ScratchFile file;

    /** By stratum: first partition and number of partitions. */
    private final int[] first;

    private final int[] parts;
    private final List<Partition> partitions = new ArrayList<>();
    private int chunks;

    /**
     * @param counts of rows, by stratum
     * @param fitting how many rows may be on the heap at a time
     */
    SortedRows(Path folder, int[] counts, int strata, int fitting, Account memory) {
        this.memory = new Account(memory);
        this.first = new int[strata];
        this.parts = new int[strata];
        long rows = Arrays.stream(counts, 0, strata).asLongStream().sum();
        long size = Math.min(fitting, Math.max(SMALL, rows / MOST_PARTITIONS));
        this.memory.take(strata * 2L * Integer.BYTES);
        long together = 0;
        for (int stratum = 0; stratum < strata; stratum++) {
            if (partitions.isEmpty() || counts[stratum] > size || together + counts[stratum] > size) {
                addPartition();
                together = 0;
            }
            first[stratum] = partitions.size() - 1;
            parts[stratum] = (int) Math.max(1, counts[stratum] / size);
            for (int part = 1; part < parts[stratum]; part++) {
                addPartition();
            }
            together = counts[stratum] > size ? size : together + counts[stratum];
        }
        // Last: what was thrown above would leave it open.
        this.file = new ScratchFile(folder);
    }

    private void addPartition() {
        memory.take((long) SOME * ROW_BYTES);
        partitions.add(new Partition());
    }

    void add(long bits, long address, int stratum) {
        long hash = bits * SPREAD;
        int part = (int) Long.remainderUnsigned(hash ^ (hash >>> Integer.SIZE), parts[stratum]);
        partitions.get(first[stratum] + part).add(bits, address, stratum);
    }

    /**
     * Writes all rows in order.
     *
     * @param firsts gets each row whose fingerprint differs from the row before
     */
    void sort(ScratchFile values, ScratchFile addresses, FixedBitSet firsts, LongConsumer progress) {
        int largest = partitions.stream().mapToInt(Partition::size).max().orElse(0);
        memory.take((long) largest * SORT_BYTES);
        Columns room = new Columns(largest);
        int start = 0;
        for (Partition partition : partitions) {
            progress.accept(0);
            partition.sort(start, room, values, addresses, firsts);
            start += partition.size();
        }
        memory.give((long) largest * SORT_BYTES);
    }

    /** For all partitions, one after the other: arrays of this size are garbage that the collector frees late. */
    private static final class Columns {
        private final long[] bits;
        private final long[] addresses;
        private final int[] strata;
        private final long[] keys;
        private final int[] order;
        private final long[] spareKeys;
        private final int[] spareOrder;

        Columns(int rows) {
            bits = new long[rows];
            addresses = new long[rows];
            strata = new int[rows];
            keys = new long[rows];
            order = new int[rows];
            spareKeys = new long[rows];
            spareOrder = new int[rows];
        }
    }

    @Override
    public void close() {
        file.close();
        memory.close();
    }

    private final class Partition {

        private final long[] bits = new long[SOME];
        private final long[] addresses = new long[SOME];
        private final int[] strata = new int[SOME];
        private int count;
        private int[] written = new int[4];
        private int chunksWritten;

        void add(long value, long address, int stratum) {
            if (count == SOME) {
                write();
            }
            bits[count] = value;
            addresses[count] = address;
            strata[count++] = stratum;
        }

        private void write() {
            if (chunksWritten == written.length) {
                written = Arrays.copyOf(written, 2 * chunksWritten);
            }
            long at = (long) chunks * SOME * ROW_BYTES;
            file.write(at, bits, 0, SOME);
            file.write(at + (long) SOME * Long.BYTES, addresses, 0, SOME);
            file.write(at + 2L * SOME * Long.BYTES, strata, 0, SOME);
            written[chunksWritten++] = chunks++;
            count = 0;
        }

        int size() {
            return chunksWritten * SOME + count;
        }

        void sort(int start, Columns room, ScratchFile values, ScratchFile sortedAddresses, FixedBitSet firsts) {
            int size = size();
            for (int i = 0; i < chunksWritten; i++) {
                long at = (long) written[i] * SOME * ROW_BYTES;
                file.read(at, room.bits, i * SOME, SOME);
                file.read(at + (long) SOME * Long.BYTES, room.addresses, i * SOME, SOME);
                file.read(at + 2L * SOME * Long.BYTES, room.strata, i * SOME, SOME);
            }
            System.arraycopy(bits, 0, room.bits, size - count, count);
            System.arraycopy(addresses, 0, room.addresses, size - count, count);
            System.arraycopy(strata, 0, room.strata, size - count, count);

            int[] order = room.order;
            long[] keys = room.keys;
            for (int i = 0; i < size; i++) {
                order[i] = i;
                keys[i] = room.bits[i];
            }
            RadixSort.sort(keys, order, size, room.spareKeys, room.spareOrder);
            for (int i = 0; i < size; i++) {
                keys[i] = room.strata[order[i]];
            }
            // Stable: fingerprints stay ascending within a stratum.
            RadixSort.sort(keys, order, size, room.spareKeys, room.spareOrder);
            for (int i = 0; i < size; i++) {
                boolean isEqual = i > 0
                        && room.bits[order[i]] == room.bits[order[i - 1]]
                        && room.strata[order[i]] == room.strata[order[i - 1]];
                if (isEqual == false) {
                    firsts.set(start + i);
                }
            }
            write(start, room.bits, room, values, size);
            write(start, room.addresses, room, sortedAddresses, size);
        }

        private static void write(int start, long[] column, Columns room, ScratchFile file, int size) {
            for (int i = 0; i < size; i++) {
                room.keys[i] = column[room.order[i]];
            }
            file.write((long) start * Long.BYTES, room.keys, 0, size);
        }
    }
}
