/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.sketch.SketchWords;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.Rows;

/**
 * Collects the rows of a page, leaf by leaf. It looks up digests at the end of a leaf, in the order of the terms, so that each block
 * of terms is decoded once, and then writes the rows of the leaf.
 *
 * <p>A row is a document, by number in the shard's reader, its stratum (complemented without bits), its bits or the hash of its sketch,
 * the hash of its digest (0 for none), and the words of its sketch.
 */
final class ColumnsBuilder {

    static final long NO_DIGEST = -1;

    /** An entry of a map and of each list. */
    private static final int STRATUM_BYTES = 160;

    private final int limit;
    private final Chunks chunks;
    private final LongConsumer memory;
    private final Map<Long, Integer> strata = new HashMap<>();
    private final List<String> schemeOfStratum = new ArrayList<>();
    private final List<Long> hashes = new ArrayList<>();
    private final List<Long> guards = new ArrayList<>();

    /** By stratum. */
    private long[] documents = new long[1];

    private Digests leafDigests;
    private boolean full;
    private long fingerprinted;
    private final LeafRows rows;
    private final Rows written;

    /**
     * @param expected how many rows may be added; with fewer, room is wasted
     * @param written gets the rows
     */
    ColumnsBuilder(int limit, int expected, Chunks chunks, Rows written, LongConsumer memory) {
        this.limit = limit;
        this.chunks = chunks;
        this.memory = memory;
        this.written = written;
        this.rows = new LeafRows(Math.clamp(expected, 1, limit), memory);
    }

    /** Stays true when rows are left out. */
    boolean isFull() {
        full |= written.size() + rows.size >= limit;
        return full;
    }

    /** Finds the digests of a leaf. */
    interface Digests {

        /**
         * Hashes of digests; 0 if there is none.
         *
         * @param keys of added rows, ascending and distinct
         */
        long[] hashes(long[] keys) throws IOException;

        /** Further digests of a document that has several. */
        default List<Long> others(long key) {
            return List.of();
        }
    }

    /** Accounts for memory outside the rows. */
    void account(long bytes) {
        memory.accept(bytes);
    }

    void startLeaf(Digests values) {
        leafDigests = values;
    }

    void countFingerprinted() {
        fingerprinted++;
    }

    /** Position of a stratum in the page. */
    int stratum(String scheme, long guard) {
        long hash = LeafColumns.hash(scheme) + guard * 0xD6E8_FEB8_6659_FD93L;
        Integer known = strata.get(hash);
        if (known != null) {
            return known;
        }
        memory.accept(STRATUM_BYTES);
        strata.put(hash, hashes.size());
        guards.add(guard);
        hashes.add(hash);
        schemeOfStratum.add(scheme);
        documents = ArrayUtil.grow(documents, hashes.size());
        return hashes.size() - 1;
    }

    /**
     * @param words of a sketch, copied; null for a fingerprint
     * @param digest key for {@link Digests}
     */
    void add(int doc, long value, long[] words, long digest, int ordinal) {
        if (ordinal < 0 || chunks.contains(value)) {
            rows.add(doc, ordinal, value, words, digest);
        }
    }

    void countScheme(int ordinal) {
        documents[ordinal]++;
    }

    /** Replaces the leaf's keys by hashes that are equal on all nodes, and writes its rows. */
    void endLeaf() throws IOException {
        if (leafDigests == null) {
            return;
        }
        long[] byOrdinal = byOrdinal();
        long[] wanted = Arrays.stream(byOrdinal)
                .map(entry -> entry >>> Integer.SIZE)
                .distinct()
                .toArray();
        long[] hashes = leafDigests.hashes(wanted);
        Map<Integer, List<Long>> others = new HashMap<>();
        int at = 0;
        for (long entry : byOrdinal) {
            long ordinal = entry >>> Integer.SIZE;
            while (wanted[at] != ordinal) {
                at++;
            }
            int row = (int) entry;
            rows.digests[row] = hashes[at];
            List<Long> further = leafDigests.others(ordinal);
            if (further.isEmpty() == false) {
                others.put(row, further);
            }
        }
        leafDigests = null;
        for (int row = 0; row < rows.size; row++) {
            write(row, rows.digests[row]);
            for (long other : others.getOrDefault(row, List.of())) {
                write(row, other);
            }
        }
        rows.clear();
    }

    /** Leaves out rows that are not wanted. Only the digest may show this. */
    private void write(int row, long digest) throws IOException {
        if (rows.strata[row] >= 0 || (digest != 0 && chunks.contains(digest))) {
            rows.write(row, digest, written.next());
        }
    }

    /** The key and the number of each row of the leaf that has a key, by key. The others get the digest 0. */
    private long[] byOrdinal() {
        int count = 0;
        for (int i = 0; i < rows.size; i++) {
            count += rows.digests[i] == NO_DIGEST ? 0 : 1;
        }
        long[] byOrdinal = new long[count];
        int at = 0;
        for (int i = 0; i < rows.size; i++) {
            if (rows.digests[i] == NO_DIGEST) {
                rows.digests[i] = 0;
            } else {
                byOrdinal[at++] = rows.digests[i] << Integer.SIZE | i;
            }
        }
        Arrays.sort(byOrdinal);
        return byOrdinal;
    }

    /**
     * Writes what stands before the rows: how many documents have a fingerprint; documents by scheme, with an empty name for those
     * without; hash of each stratum (scheme and guards) and of its guards.
     */
    void writeHead(StreamOutput head) throws IOException {
        Map<String, Long> schemes = new HashMap<>();
        for (int i = 0; i < schemeOfStratum.size(); i++) {
            if (documents[i] > 0) {
                schemes.merge(schemeOfStratum.get(i), documents[i], Long::sum);
            }
        }
        head.writeVLong(fingerprinted);
        head.writeMap(schemes, StreamOutput::writeString, StreamOutput::writeVLong);
        head.writeVInt(hashes.size());
        for (int i = 0; i < hashes.size(); i++) {
            head.writeLong(hashes.get(i));
            head.writeLong(guards.get(i));
        }
    }

    /**
     * The rows of a leaf in columns: document, stratum, bits, digest; 24 bytes per row. Those of sketches have their words besides. Not
     * thread-safe.
     */
    private static final class LeafRows {

        private static final int ROW_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;
        private final LongConsumer memory;
        private final int expected;
        private int size;
        private int[] documents = new int[0];
        private int[] strata = new int[0];
        private long[] bits = new long[0];
        private long[] digests = new long[0];

        /** Of sketches, by row where they start in {@link #words}; null for fingerprints. */
        private int[] starts;

        private long[] words = new long[0];
        private int used;

        /**
         * @param expected room is made for so many rows at once
         * @param memory is told the bytes first, and may refuse them
         */
        LeafRows(int expected, LongConsumer memory) {
            this.expected = expected;
            this.memory = memory;
        }

        void add(int document, int stratum, long value, long[] sketch, long digest) {
            makeRoom();
            if (sketch != null) {
                addWords(sketch);
            }
            documents[size] = document;
            strata[size] = stratum;
            bits[size] = value;
            digests[size++] = digest;
        }

        private void addWords(long[] sketch) {
            if (starts == null) {
                memory.accept((long) documents.length * Integer.BYTES);
                starts = new int[documents.length];
            }
            if (used + sketch.length > words.length) {
                int capacity = Math.max(used + sketch.length, Math.max(expected * sketch.length, 2 * words.length));
                memory.accept((long) (capacity - words.length) * Long.BYTES);
                words = Arrays.copyOf(words, capacity);
            }
            starts[size] = used;
            System.arraycopy(sketch, 0, words, used, sketch.length);
            used += sketch.length;
        }

        void clear() {
            size = 0;
            used = 0;
        }

        private void makeRoom() {
            if (size == documents.length) {
                int capacity = Math.max(expected, 2 * size);
                memory.accept((long) (capacity - size) * ROW_BYTES);
                documents = Arrays.copyOf(documents, capacity);
                strata = Arrays.copyOf(strata, capacity);
                bits = Arrays.copyOf(bits, capacity);
                digests = Arrays.copyOf(digests, capacity);
                if (starts != null) {
                    memory.accept((long) (capacity - starts.length) * Integer.BYTES);
                    starts = Arrays.copyOf(starts, capacity);
                }
            }
        }

        void write(int row, long digest, StreamOutput out) throws IOException {
            out.writeVInt(documents[row]);
            out.writeInt(strata[row]);
            out.writeLong(bits[row]);
            out.writeLong(digest);
            if (starts != null && strata[row] >= 0) {
                int length = SketchWords.length(SketchWords.permutations(words, starts[row]));
                out.writeLongArray(Arrays.copyOfRange(words, starts[row], starts[row] + length));
            }
        }
    }
}
