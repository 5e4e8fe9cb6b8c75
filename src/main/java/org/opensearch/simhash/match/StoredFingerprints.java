/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.opensearch.simhash.fingerprint.LongHash;

/**
 * The fingerprints of a leaf, read from doc values and compared with one target. One thread, forward only. An instance
 * scans or verifies, not both: a scan stops on the first fingerprint after its range.
 */
abstract class StoredFingerprints {

    /** Distance of a document without fingerprint, above any other. */
    static final int ABSENT = LongHash.MOST_BITS + 1;

    /** Opens the doc values of {@code field}. The nearest of several fingerprints counts. */
    static StoredFingerprints open(LeafReader reader, String field, long target) throws IOException {
        return of(DocValues.getSortedNumeric(reader, field), reader, field, target);
    }

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

    /**
     * Adds the documents of {@code [from, to)} within {@code bound}. The range is at most {@link MatchBatch#WINDOW}
     * long.
     */
    abstract void scan(int from, int to, int bound, MatchBatch out) throws IOException;

    /** Adds the documents within {@code bound}. {@code docs} is ascending, at most {@link MatchBatch#WINDOW} long. */
    abstract void verify(int[] docs, int size, int bound, MatchBatch out) throws IOException;

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

        @Override
        void verify(int[] docs, int size, int bound, MatchBatch out) throws IOException {
            for (int i = 0; i < size; i++) {
                add(docs[i], distance(docs[i]), bound, out);
            }
        }

        private static void add(int doc, int distance, int bound, MatchBatch out) {
            if (distance <= bound) {
                out.add(doc, distance);
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
}
