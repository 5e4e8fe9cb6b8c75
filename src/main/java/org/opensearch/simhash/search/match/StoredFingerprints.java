/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Comparator;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;

/**
 * The fingerprints of a leaf, read from doc values and compared with one target. One thread, forward only. An instance
 * scans or verifies, not both: a scan stops on the first fingerprint after its range.
 */
abstract class StoredFingerprints {

    /** Distance of a document without fingerprint, above any other. */
    static final int ABSENT = LongHash.MOST_BITS + 1;

    /**
     * Wraps doc values. The nearest of several fingerprints counts.
     *
     * @param values of {@code field}, for exclusive use
     */
    static StoredFingerprints of(SortedNumericDocValues values, LeafReader reader, String field, long target) {
        NumericDocValues single = DocValues.unwrapSingleton(values);
        return single == null
                ? new Several(reader, field, values, target)
                : new SingleFingerprints(reader, field, single, target);
    }

    abstract void rewind() throws IOException;

    /** Distance of a document, or {@link #ABSENT}. */
    abstract int distance(int doc) throws IOException;

    /** Adds the documents of {@code [from, to)} within {@code bound}. The range is at most {@link MatchBatch#WINDOW} long. */
    abstract void scan(int from, int to, int bound, MatchBatch out) throws IOException;

    /** Adds the documents within {@code bound}. {@code docs} is ascending, at most {@link MatchBatch#WINDOW} long. */
    void verify(int[] docs, int size, int bound, MatchBatch out) throws IOException {
        for (int i = 0; i < size; i++) {
            add(docs[i], distance(docs[i]), bound, out);
        }
    }

    static void add(int doc, int distance, int bound, MatchBatch out) {
        if (distance <= bound) {
            out.add(doc, distance);
        }
    }

    private static final class Several extends StoredFingerprints {

        private final LeafReader reader;
        private final String field;
        private final long target;
        private SortedNumericDocValues values;

        Several(LeafReader reader, String field, SortedNumericDocValues values, long target) {
            this.reader = reader;
            this.field = field;
            this.target = target;
            this.values = values;
        }

        @Override
        void rewind() throws IOException {
            values = DocValues.getSortedNumeric(reader, field);
        }

        @Override
        int distance(int doc) throws IOException {
            return values.advanceExact(doc) ? nearest() : ABSENT;
        }

        @Override
        void scan(int from, int to, int bound, MatchBatch out) throws IOException {
            int doc = values.docID() < from ? values.advance(from) : values.docID();
            for (; doc < to; doc = values.nextDoc()) {
                add(doc, nearest(), bound, out);
            }
        }

        private int nearest() throws IOException {
            int nearest = ABSENT;
            for (int i = values.docValueCount(); i > 0; i--) {
                nearest = Math.min(nearest, Long.bitCount(values.nextValue() ^ target));
            }
            return nearest;
        }
    }

    /** At most one fingerprint per document: the usual case, read in bulk. */
    private static final class SingleFingerprints extends StoredFingerprints {

        /** Documents compared before looking for matches. */
        private static final int BLOCK = 64;

        /** After this many matches in a block, the next block is written branch-free. */
        private static final int CROWDED = 10;

        private static final VarHandle LONGS =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

        private static final long ONES = 0x0101_0101_0101_0101L;
        private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

        private final LeafReader reader;
        private final String field;
        private final long target;
        private final byte[] distances = new byte[BLOCK];
        private boolean crowded;
        private NumericDocValues values;
        private int[] docs = {};
        /** Grows on demand: most probes find few documents. */
        private long[] bits = {};

        SingleFingerprints(LeafReader reader, String field, NumericDocValues values, long target) {
            this.reader = reader;
            this.field = field;
            this.target = target;
            this.values = values;
        }

        @Override
        void rewind() throws IOException {
            values = DocValues.unwrapSingleton(DocValues.getSortedNumeric(reader, field));
        }

        @Override
        int distance(int doc) throws IOException {
            return values.advanceExact(doc) ? Long.bitCount(values.longValue() ^ target) : ABSENT;
        }

        @Override
        void scan(int from, int to, int bound, MatchBatch out) throws IOException {
            int doc = values.docID() < from ? values.advance(from) : values.docID();
            if (doc == from && values.docIDRunEnd() >= to) {
                docs = roomFor(to - from, docs);
                for (int i = 0; i < to - from; i++) {
                    docs[i] = from + i;
                }
                compare(docs, to - from, bound, out);
                return;
            }
            for (; doc < to; doc = values.nextDoc()) {
                add(doc, Long.bitCount(values.longValue() ^ target), bound, out);
            }
        }

        @Override
        void verify(int[] candidates, int size, int bound, MatchBatch out) throws IOException {
            if (size == 0) {
                return;
            }
            if (values.advanceExact(candidates[0]) && values.docIDRunEnd() > candidates[size - 1]) {
                compare(candidates, size, bound, out);
                return;
            }
            super.verify(candidates, size, bound, out);
        }

        /** All {@code docs} have a fingerprint. */
        private void compare(int[] docs, int size, int bound, MatchBatch out) throws IOException {
            bits = roomFor(size, bits);
            values.longValues(size, docs, bits, 0L);
            for (int start = 0; start < size; start += BLOCK) {
                int end = Math.min(size, start + BLOCK);
                if (nearest(start, end) <= bound) {
                    int before = out.size;
                    if (crowded || end - start < BLOCK) {
                        append(docs, start, end, bound, out);
                    } else {
                        pick(docs, start, bound, out);
                    }
                    crowded = out.size - before > CROWDED;
                }
            }
        }

        private static int[] roomFor(int size, int[] buffer) {
            return size <= buffer.length ? buffer : new int[capacity(size)];
        }

        private static long[] roomFor(int size, long[] buffer) {
            return size <= buffer.length ? buffer : new long[capacity(size)];
        }

        private static int capacity(int size) {
            return size <= BLOCK ? BLOCK : MatchBatch.WINDOW;
        }

        /** Vectorised: most blocks have no match and end here. */
        private int nearest(int start, int end) {
            int nearest = Long.SIZE;
            for (int i = start; i < end; i++) {
                nearest = Math.min(nearest, Long.bitCount(bits[i] ^ target));
            }
            return nearest;
        }

        /** Compares eight distances at once as bytes, for a block with one or two matches. */
        private void pick(int[] docs, int start, int bound, MatchBatch out) {
            for (int i = 0; i < BLOCK; i++) {
                distances[i] = (byte) Long.bitCount(bits[start + i] ^ target);
            }
            int size = out.size;
            long limits = (0x80L + bound) * ONES;
            for (int i = 0; i < BLOCK; i += Long.BYTES) {
                long near = (limits - (long) LONGS.get(distances, i)) & HIGH_BITS;
                for (; near != 0; near &= near - 1) {
                    int at = i + (Long.numberOfTrailingZeros(near) >>> 3);
                    out.docs[size] = docs[start + at];
                    out.distances[size++] = distances[at];
                }
            }
            out.size = size;
        }

        /** Writes every document, and advances only after matches: no mispredicted branch when many match. */
        private void append(int[] docs, int start, int end, int bound, MatchBatch out) {
            int size = out.size;
            for (int i = start; i < end; i++) {
                int distance = Long.bitCount(bits[i] ^ target);
                out.docs[size] = docs[i];
                out.distances[size] = (short) distance;
                size += (distance - bound - 1) >>> 31; // 1 if distance <= bound
            }
            out.size = size;
        }
    }

    /** Hashes of 256 bits. The nearest of several in a document counts. Some ten nanoseconds each. */
    static final class LongFingerprints extends StoredFingerprints {

        private final LongHash target;
        private final LeafReader reader;
        private final String field;
        private LongHashValues values;

        LongFingerprints(LeafReader reader, String field, LongHash target) throws IOException {
            this.target = target;
            this.reader = reader;
            this.field = field;
            rewind();
        }

        @Override
        void rewind() throws IOException {
            values = LongHashValues.open(reader, field);
        }

        @Override
        int distance(int doc) throws IOException {
            return values.advanceExact(doc) ? nearest() : ABSENT;
        }

        @Override
        void scan(int from, int to, int bound, MatchBatch out) throws IOException {
            DocIdSetIterator documents = values.documents();
            int doc = documents.docID() < from ? documents.advance(from) : documents.docID();
            for (; doc < to; doc = documents.nextDoc()) {
                add(doc, nearest(), bound, out);
            }
        }

        private int nearest() throws IOException {
            int nearest = ABSENT;
            values.open();
            for (BytesRef hash = values.next(); hash != null; hash = values.next()) {
                // Somebody may have put bytes of another length there.
                if (hash.length == target.length() / Byte.SIZE) {
                    nearest = Math.min(nearest, target.distance(hash.bytes, hash.offset));
                }
            }
            return nearest;
        }

        /** The nearest hash of a document; null if it has none. */
        LongHash nearestOf(int doc) throws IOException {
            return values.of(doc).stream()
                    .min(Comparator.comparingInt(target::distance))
                    .orElse(null);
        }
    }
}
