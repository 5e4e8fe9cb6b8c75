/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.core.join.NearJoin.JoinRows;
import org.opensearch.simhash.core.join.NearJoin.RowSink;
import org.opensearch.simhash.core.memory.Account;

/**
 * Rows in scratch files, for more than fits on the heap: at most {@value #DISK_BYTES} bytes of disk per row, and
 * {@value #HEAP_BYTES} of heap. Blocks of rows are dealt to partitions by stratum and fingerprint, and each partition is sorted
 * on the heap. Not thread-safe.
 */
public final class RowFiles implements JoinRows {

    /** Bytes of disk per row, here and in the join that follows. */
    public static final int DISK_BYTES = RowBlock.ROW_BYTES + SortedRows.ROW_BYTES;

    /** Bytes of heap per row, here and in the join that follows. */
    public static final int HEAP_BYTES = 2;

    /** Guard, key and number of rows. */
    private static final int STRATUM_BYTES = 216;

    private final Path folder;
    private final int fitting;
    private final Account account;
    private final ScratchFile rows;
    private final RowBlock block = new RowBlock();
    private final List<ScratchFile> sorted = new ArrayList<>();
    private int count;
    private int withBits;
    private int withDigests;
    private long lastAddress = -1;
    private boolean hasSeveral;
    private boolean isRead;

    /** By stratum. */
    private int[] guards = new int[0];

    private long[] keys = new long[0];
    private int[] counts = new int[0];
    private int strata;

    /** @param fitting how many rows are sorted on the heap at a time */
    public RowFiles(Path folder, int fitting, LongConsumer memory) {
        this.folder = folder;
        this.fitting = fitting;
        this.account = new Account(memory);
        this.rows = new ScratchFile(folder);
        try {
            account.take(RowBlock.BYTES);
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
    }

    @Override
    public Account account() {
        return account;
    }

    @Override
    public void stratum(int stratum, int guard, long key) {
        account.take(STRATUM_BYTES);
        strata = stratum + 1;
        guards = ArrayUtil.grow(guards, strata);
        guards[stratum] = guard;
        keys = ArrayUtil.grow(keys, strata);
        keys[stratum] = key;
        counts = ArrayUtil.grow(counts, strata);
    }

    @Override
    public void add(long address, long fingerprint, long digest, int stratum) {
        append(address, fingerprint, digest, stratum);
        counts[stratum]++;
        withBits++;
    }

    @Override
    public void addWithoutBits(long address, long digest, int stratum) {
        append(address, 0, digest, ~stratum);
    }

    private void append(long address, long fingerprint, long digest, int stratum) {
        if (block.add(address, fingerprint, digest, stratum)) {
            block.write(rows, count / RowBlock.ROWS);
        }
        hasSeveral |= address == lastAddress;
        lastAddress = address;
        withDigests += digest == 0 ? 0 : 1;
        count = Math.addExact(count, 1);
    }

    private void forEachBlock(LongConsumer progress, Consumer<RowBlock> reader) {
        for (int i = 0; i < (count + RowBlock.ROWS - 1) / RowBlock.ROWS; i++) {
            progress.accept(0);
            block.read(rows, i, Math.min(RowBlock.ROWS, count - i * RowBlock.ROWS));
            reader.accept(block);
        }
    }

    private void flush() {
        if (isRead == false && count % RowBlock.ROWS > 0) {
            block.write(rows, count / RowBlock.ROWS);
        }
        isRead = true;
    }

    /**
     * Reads all rows once for each part of the digests that fits on the heap. Most documents with a fingerprint have no
     * digest here.
     */
    @Override
    public long equalTexts(Chunks chunks, Cliques.Builder cliques, LongConsumer progress) {
        flush();
        int parts = withDigests / fitting + (withDigests > 0 ? 1 : 0);
        long pairs = 0;
        for (int i = 0; i < parts; i++) {
            int part = i;
            FingerprintRows some = new FingerprintRows(withDigests / parts, account);
            try {
                for (int stratum = 0; stratum < strata; stratum++) {
                    some.stratum(stratum, guards[stratum], keys[stratum]);
                }
                some.markSeveral(hasSeveral);
                forEachBlock(progress, read -> read.addDigests(some, part, parts));
                pairs += some.equalTexts(chunks, cliques, progress);
            } finally {
                some.close();
            }
        }
        return pairs;
    }

    @Override
    public Fingerprints fingerprints(LongConsumer progress) {
        flush();
        account.take((long) withBits / Byte.SIZE);
        FixedBitSet firsts = new FixedBitSet(Math.max(1, withBits));
        List<Fingerprints.Slice> slices = new ArrayList<>();
        int start = 0;
        for (int stratum = 0; stratum < strata; stratum++) {
            if (counts[stratum] > 0) {
                slices.add(new Fingerprints.Slice(start, start + counts[stratum], keys[stratum]));
                start += counts[stratum];
            }
        }
        ScratchFile values = open();
        ScratchFile addresses = open();
        try (SortedRows partitions = new SortedRows(folder, counts, strata, fitting, account)) {
            forEachBlock(progress, read -> read.addTo(partitions));
            rows.close();
            partitions.sort(values, addresses, firsts, progress);
        }
        return new FiledFingerprints(withBits, slices, values, addresses, firsts, hasSeveral);
    }

    private ScratchFile open() {
        ScratchFile file = new ScratchFile(folder);
        sorted.add(file);
        return file;
    }

    @Override
    public Bins bins(int[] starts) {
        return new Bins.InFiles(starts, folder);
    }

    @Override
    public void close() {
        rows.close();
        sorted.forEach(ScratchFile::close);
        account.close();
    }

    /** A block of rows in columns, as in the file. Not thread-safe. */
    static final class RowBlock {

        static final int ROWS = 1 << 13;

        static final int ROW_BYTES = 3 * Long.BYTES + Integer.BYTES;

        /** Of heap. */
        static final long BYTES = (long) ROWS * ROW_BYTES;

        private final long[] addresses = new long[ROWS];
        private final long[] bits = new long[ROWS];
        private final long[] digests = new long[ROWS];

        /** Complemented for rows without bits. */
        private final int[] strata = new int[ROWS];

        private int size;

        /** Returns whether the block is full now. */
        boolean add(long address, long fingerprint, long digest, int stratum) {
            addresses[size] = address;
            bits[size] = fingerprint;
            digests[size] = digest;
            strata[size++] = stratum;
            return size == ROWS;
        }

        /** Writes the block, full or not, and empties it. */
        void write(ScratchFile file, int number) {
            long at = number * BYTES;
            file.write(at, addresses, 0, size);
            file.write(at + (long) ROWS * Long.BYTES, bits, 0, size);
            file.write(at + 2L * ROWS * Long.BYTES, digests, 0, size);
            file.write(at + 3L * ROWS * Long.BYTES, strata, 0, size);
            size = 0;
        }

        void read(ScratchFile file, int number, int rows) {
            long at = number * BYTES;
            size = rows;
            file.read(at, addresses, 0, size);
            file.read(at + (long) ROWS * Long.BYTES, bits, 0, size);
            file.read(at + 2L * ROWS * Long.BYTES, digests, 0, size);
            file.read(at + 3L * ROWS * Long.BYTES, strata, 0, size);
        }

        /** Adds the rows whose digest is in a part. */
        void addDigests(RowSink rows, int part, int parts) {
            for (int i = 0; i < size; i++) {
                if (digests[i] != 0 && Long.remainderUnsigned(digests[i], parts) == part) {
                    if (strata[i] >= 0) {
                        rows.add(addresses[i], bits[i], digests[i], strata[i]);
                    } else {
                        rows.addWithoutBits(addresses[i], digests[i], ~strata[i]);
                    }
                }
            }
        }

        /** Adds the rows that have bits. */
        void addTo(SortedRows rows) {
            for (int i = 0; i < size; i++) {
                if (strata[i] >= 0) {
                    rows.add(bits[i], addresses[i], strata[i]);
                }
            }
        }
    }

    /**
     * Fingerprints in files, one row each, equal ones next to each other. The number of a value is its first row. Takes one
     * bit of heap per row.
     */
    private static final class FiledFingerprints implements Fingerprints {

        private static final int BUFFER = 1 << 13;

        private final int size;
        private final List<Slice> slices;
        private final ScratchFile values;
        private final ScratchFile addresses;

        /** Rows whose value differs from the row before. */
        private final FixedBitSet firsts;

        private final boolean hasSeveral;
        private final boolean areSingle;

        private final long[] buffer = new long[BUFFER];
        private int bufferStart;
        private int bufferEnd;

        /**
         * @param values of all rows, already written
         * @param addresses of all rows, already written
         */
        FiledFingerprints(
                int size,
                List<Slice> slices,
                ScratchFile values,
                ScratchFile addresses,
                FixedBitSet firsts,
                boolean hasSeveral) {
            this.size = size;
            this.slices = slices;
            this.values = values;
            this.addresses = addresses;
            this.firsts = firsts;
            this.hasSeveral = hasSeveral;
            this.areSingle = hasSeveral == false && firsts.cardinality() == size;
        }

        @Override
        public List<Slice> slices() {
            return slices;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public int next(int number) {
            int next = number < size ? firsts.nextSetBit(number) : size;
            return next == DocIdSetIterator.NO_MORE_DOCS ? size : next;
        }

        @Override
        public long value(int number) {
            long[] value = new long[1];
            values.read((long) number * Long.BYTES, value, 0, 1);
            return value[0];
        }

        @Override
        public int read(int from, int to, long[] toValues, int[] numbers) {
            values.read((long) from * Long.BYTES, toValues, 0, to - from);
            int count = 0;
            for (int i = from; i < to; i++) {
                if (firsts.get(i)) {
                    toValues[count] = toValues[i - from];
                    numbers[count++] = i;
                }
            }
            return count;
        }

        @Override
        public int rows(int number) {
            return next(number + 1) - number;
        }

        @Override
        public boolean areSingle() {
            return areSingle;
        }

        @Override
        public boolean hasSeveral() {
            return hasSeveral;
        }

        @Override
        public long pairs(int a, int b) {
            long all = (long) rows(a) * rows(b);
            return hasSeveral ? all - equal(sortedAddresses(a), sortedAddresses(b)) : all;
        }

        private long[] sortedAddresses(int number) {
            long[] found = new long[rows(number)];
            addresses.read((long) number * Long.BYTES, found, 0, found.length);
            Arrays.sort(found);
            return found;
        }

        /** Number of equal pairs of two sorted arrays. */
        private static long equal(long[] a, long[] b) {
            long pairs = 0;
            for (int i = 0, first = 0; i < a.length; i++) {
                while (first < b.length && b[first] < a[i]) {
                    first++;
                }
                for (int j = first; j < b.length && b[j] == a[i]; j++) {
                    pairs++;
                }
            }
            return pairs;
        }

        @Override
        public long[] addresses(int number) {
            long[] found = new long[rows(number)];
            if (found.length > BUFFER) {
                addresses.read((long) number * Long.BYTES, found, 0, found.length);
                return found;
            }
            if (number < bufferStart || number + found.length > bufferEnd) {
                bufferStart = number;
                bufferEnd = Math.min(size, number + BUFFER);
                addresses.read((long) number * Long.BYTES, buffer, 0, bufferEnd - bufferStart);
            }
            System.arraycopy(buffer, number - bufferStart, found, 0, found.length);
            return found;
        }
    }
}
