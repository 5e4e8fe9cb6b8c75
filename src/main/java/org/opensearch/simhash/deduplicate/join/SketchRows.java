/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.opensearch.simhash.deduplicate.join.Fingerprints.DistinctFingerprints;
import org.opensearch.simhash.deduplicate.join.NearJoin.JoinRows;
import org.opensearch.simhash.deduplicate.join.NearJoin.Search;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.sketch.SketchWords;

/**
 * Rows with sketches: those of fingerprints, where a hash of the sketch stands in place of the bits, and beside them the
 * {@linkplain SketchWords words} of each sketch, in pages on the heap or in a file. Sketches with one hash count as equal.
 *
 * <p>Memory: {@value #JOIN_BYTES} bytes a row, here and in a join with two threads, and on the heap or on the disk the words. Not
 * thread-safe.
 */
public final class SketchRows implements JoinRows {

    /** Of heap per row, beside its words. */
    public static final int JOIN_BYTES = 72;

    /** Words of a page. A sketch is in one page. */
    private static final int PAGE = 1 << 15;

    private final FingerprintRows rows;
    private final double minSimilarity;

    /** The full pages on the heap; empty if they are in a file. */
    private final List<long[]> pages = new ArrayList<>();

    /** Null if pages are on the heap. */
    private final ScratchFile file;

    private long[] page = new long[PAGE];
    private int used;
    private int full;

    /** Where the words of a row start; -1 if it has none. */
    private int[] starts = new int[0];

    private int longest;

    /**
     * @param expected about so many rows
     * @param minSimilarity least estimated similarity of a link
     * @param folder for a file; null for the heap
     */
    public SketchRows(int expected, double minSimilarity, Path folder, LongConsumer memory) {
        this.rows = new FingerprintRows(expected, memory);
        this.minSimilarity = minSimilarity;
        this.file = folder == null ? null : new ScratchFile(folder);
        try {
            account().take((long) PAGE * Long.BYTES);
            reserve(expected);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Bytes of the words of sketches with so many components. */
    public static long wordBytes(int permutations) {
        return (long) SketchWords.length(permutations) * Long.BYTES;
    }

    /** The error of a join with more links than a job keeps. */
    public static IllegalArgumentException tooMany(long mostLinks, double minSimilarity) {
        return new IllegalArgumentException("[min_similarity] must be greater, so that there are at most " + mostLinks
                + " pairs of different sketches, got: " + minSimilarity);
    }

    private void reserve(int size) {
        if (size > starts.length) {
            account().take((long) (size - starts.length) * Integer.BYTES);
            int before = starts.length;
            starts = Arrays.copyOf(starts, size);
            Arrays.fill(starts, before, size, -1);
        }
    }

    @Override
    public void addSketch(long address, long hash, long digest, int stratum, long[] words, int at) {
        int row = rows.size();
        rows.add(address, hash, digest, stratum);
        if (row >= starts.length) { // Rows without a sketch have none.
            reserve(row + Math.max(1_024, row / 4));
        }
        int length = SketchWords.length(SketchWords.permutations(words, at));
        if (used + length > PAGE) {
            turnPage();
        }
        System.arraycopy(words, at, page, used, length);
        SketchWords.label(page, used, stratum);
        starts[row] = Math.addExact(Math.multiplyExact(full, PAGE), used);
        used += length;
        longest = Math.max(longest, length);
    }

    private void turnPage() {
        if (file == null) {
            account().take((long) PAGE * Long.BYTES);
            pages.add(page);
            page = new long[PAGE];
        } else {
            file.write((long) full * PAGE * Long.BYTES, page, 0, PAGE);
        }
        full++;
        used = 0;
    }

    @Override
    public void stratum(int stratum, int guard, long key) {
        rows.stratum(stratum, guard, key);
    }

    /** Not of sketches. */
    @Override
    public void add(long address, long fingerprint, long digest, int stratum) {
        throw new UnsupportedOperationException("a fingerprint among sketches");
    }

    @Override
    public void addWithoutBits(long address, long digest, int stratum) {
        rows.addWithoutBits(address, digest, stratum);
    }

    @Override
    public Account account() {
        return rows.account();
    }

    @Override
    public long equalTexts(Chunks chunks, Cliques.Builder cliques, LongConsumer progress) {
        return rows.equalTexts(chunks, cliques, progress);
    }

    @Override
    public Fingerprints fingerprints(LongConsumer progress) {
        if (used > 0) {
            turnPage();
        }
        return new Sketches(new DistinctFingerprints(rows));
    }

    @Override
    public Bins bins(int[] ofStarts) {
        return rows.bins(ofStarts);
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
        rows.close();
    }

    /** Reads words of sketches. One thread each. */
    final class Reader {

        /** The array with the words of the last sketch, and where they start. */
        long[] words = new long[0];

        int at;

        /** The page that is read in order; -1 if there is none. */
        private int read = -1;

        private long[] inOrder;
        private long[] single;

        /** Reads the sketch of a row. */
        void read(int row) {
            int start = starts[row];
            if (file == null) {
                words = pages.get(start / PAGE);
                at = start % PAGE;
                return;
            }
            single = single == null ? new long[longest] : single;
            words = single;
            file.read((long) start * Long.BYTES, words, 0, Math.min(longest, PAGE - start % PAGE));
            at = 0;
        }

        /** Reads the sketch of a row whose predecessors have been read. */
        void readNext(int row) {
            if (file == null) {
                read(row);
                return;
            }
            int start = starts[row];
            if (start / PAGE != read) {
                inOrder = inOrder == null ? new long[PAGE] : inOrder;
                read = start / PAGE;
                file.read((long) read * PAGE * Long.BYTES, inOrder, 0, PAGE);
            }
            words = inOrder;
            at = start % PAGE;
        }

        /** Of heap, for one reader. */
        static long bytes(boolean isInFile) {
            return isInFile ? (long) PAGE * Long.BYTES : 0;
        }
    }

    /** Distinct sketches; their values are their hashes. */
    final class Sketches implements Fingerprints {

        private final DistinctFingerprints hashes;

        Sketches(DistinctFingerprints hashes) {
            this.hashes = hashes;
        }

        @Override
        public List<Search> searches(int distance, Runnable check) {
            return List.of(new BandSearch(this, minSimilarity));
        }

        @Override
        public void refuseTooMany(long mostLinks, int distance) {
            throw tooMany(mostLinks, minSimilarity);
        }

        @Override
        public boolean haveDistances() {
            return false;
        }

        Reader reader() {
            return new Reader();
        }

        long readerBytes() {
            return Reader.bytes(file != null);
        }

        int allRows() {
            return rows.size();
        }

        /** The first row of a sketch. */
        int firstRow(int number) {
            return hashes.firstRow(number);
        }

        @Override
        public List<Slice> slices() {
            return hashes.slices();
        }

        @Override
        public int size() {
            return hashes.size();
        }

        @Override
        public int next(int number) {
            return hashes.next(number);
        }

        @Override
        public long value(int number) {
            return hashes.value(number);
        }

        @Override
        public int read(int from, int to, long[] values, int[] numbers) {
            return hashes.read(from, to, values, numbers);
        }

        @Override
        public int rows(int number) {
            return hashes.rows(number);
        }

        @Override
        public boolean areSingle() {
            return hashes.areSingle();
        }

        @Override
        public boolean hasSeveral() {
            return hashes.hasSeveral();
        }

        @Override
        public long pairs(int a, int b) {
            return hashes.pairs(a, b);
        }

        @Override
        public long[] addresses(int number) {
            return hashes.addresses(number);
        }
    }
}
