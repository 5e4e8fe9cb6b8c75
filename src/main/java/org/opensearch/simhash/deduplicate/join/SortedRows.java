/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.memory.Account;

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
        // From the low bits of the hash, because bins use the high ones.
        long hash = bits * Buckets.SPREAD;
        int part = (int) Long.remainderUnsigned(hash ^ (hash >>> Integer.SIZE), parts[stratum]);
        partitions.get(first[stratum] + part).add(bits, address, stratum);
    }

    /**
     * Writes all rows in order.
     *
     * @param firsts gets each row whose fingerprint differs from the row before
     */
    void sort(ScratchFile values, ScratchFile addresses, FixedBitSet firsts, LongConsumer progress) {
        int start = 0;
        for (Partition partition : partitions) {
            progress.accept(0);
            memory.take((long) partition.size() * SORT_BYTES);
            partition.sort(start, values, addresses, firsts);
            start += partition.size();
            memory.give((long) partition.size() * SORT_BYTES);
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

        void sort(int start, ScratchFile values, ScratchFile sortedAddresses, FixedBitSet firsts) {
            int size = size();
            long[] allBits = new long[size];
            long[] allAddresses = new long[size];
            int[] allStrata = new int[size];
            for (int i = 0; i < chunksWritten; i++) {
                long at = (long) written[i] * SOME * ROW_BYTES;
                file.read(at, allBits, i * SOME, SOME);
                file.read(at + (long) SOME * Long.BYTES, allAddresses, i * SOME, SOME);
                file.read(at + 2L * SOME * Long.BYTES, allStrata, i * SOME, SOME);
            }
            System.arraycopy(bits, 0, allBits, size - count, count);
            System.arraycopy(addresses, 0, allAddresses, size - count, count);
            System.arraycopy(strata, 0, allStrata, size - count, count);

            int[] order = new int[size];
            Arrays.setAll(order, i -> i);
            long[] keys = allBits.clone();
            RadixSort.sort(keys, order, size);
            Arrays.setAll(keys, i -> allStrata[order[i]]);
            // Stable: fingerprints stay ascending within a stratum.
            RadixSort.sort(keys, order, size);
            for (int i = 0; i < size; i++) {
                boolean isEqual = i > 0
                        && allBits[order[i]] == allBits[order[i - 1]]
                        && allStrata[order[i]] == allStrata[order[i - 1]];
                if (isEqual == false) {
                    firsts.set(start + i);
                }
            }
            Arrays.setAll(keys, i -> allBits[order[i]]);
            values.write((long) start * Long.BYTES, keys, 0, size);
            Arrays.setAll(keys, i -> allAddresses[order[i]]);
            sortedAddresses.write((long) start * Long.BYTES, keys, 0, size);
        }
    }
}
