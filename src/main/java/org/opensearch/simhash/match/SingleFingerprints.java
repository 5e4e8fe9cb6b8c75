/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;

/** At most one fingerprint per document: the usual case, read in bulk. */
final class SingleFingerprints extends StoredFingerprints {

    /** Documents that are compared before looking whether one of them matches. */
    private static final int BLOCK = 64;

    private NumericDocValues values;
    private final int[] docs = new int[MatchBatch.WINDOW];
    private final long[] bits = new long[MatchBatch.WINDOW];

    SingleFingerprints(LeafReader reader, String field, NumericDocValues values, long target) {
        super(reader, field, target);
        this.values = values;
    }

    @Override
    void rewind() throws IOException {
        values = DocValues.unwrapSingleton(reopen());
    }

    @Override
    int distance(int doc) throws IOException {
        return values.advanceExact(doc) ? Long.bitCount(values.longValue() ^ target) : ABSENT;
    }

    @Override
    void scan(int from, int to, int bound, MatchBatch out) throws IOException {
        int doc = values.docID() < from ? values.advance(from) : values.docID();
        if (doc == from && values.docIDRunEnd() >= to) {
            for (int i = 0; i < to - from; i++) {
                docs[i] = from + i;
            }
            compare(docs, to - from, bound, out);
            return;
        }
        for (; doc < to; doc = values.nextDoc()) {
            int distance = Long.bitCount(values.longValue() ^ target);
            if (distance <= bound) {
                out.add(doc, distance);
            }
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
        for (int i = 0; i < size; i++) {
            int distance = distance(candidates[i]);
            if (distance <= bound) {
                out.add(candidates[i], distance);
            }
        }
    }

    /** All of {@code docs} have a fingerprint. */
    private void compare(int[] docs, int size, int bound, MatchBatch out) throws IOException {
        values.longValues(size, docs, bits, 0L);
        for (int start = 0; start < size; start += BLOCK) {
            int end = Math.min(size, start + BLOCK);
            if (nearest(start, end) <= bound) {
                append(docs, start, end, bound, out);
            }
        }
    }

    /** Compiles to vector instructions: most blocks have no match, and end here. */
    private int nearest(int start, int end) {
        int nearest = Long.SIZE;
        for (int i = start; i < end; i++) {
            nearest = Math.min(nearest, Long.bitCount(bits[i] ^ target));
        }
        return nearest;
    }

    /** Writes every document and moves on only after matches: no branch to mispredict when many match. */
    private void append(int[] docs, int start, int end, int bound, MatchBatch out) {
        int size = out.size;
        for (int i = start; i < end; i++) {
            int distance = Long.bitCount(bits[i] ^ target);
            out.docs[size] = docs[i];
            out.distances[size] = (byte) distance;
            size += (distance - bound - 1) >>> 31; // 1 when distance <= bound
        }
        out.size = size;
    }
}
