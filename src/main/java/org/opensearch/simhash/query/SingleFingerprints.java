/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;

/** At most one fingerprint per document: the usual case, read in bulk. */
final class SingleFingerprints extends StoredFingerprints {

    private final NumericDocValues values;
    private final int[] docs = new int[MatchBatch.WINDOW];
    private final long[] bits = new long[MatchBatch.WINDOW];

    SingleFingerprints(NumericDocValues values, long target) {
        super(target);
        this.values = values;
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
        for (int i = 0; i < size; i++) {
            int distance = Long.bitCount(bits[i] ^ target);
            if (distance <= bound) {
                out.add(docs[i], distance);
            }
        }
    }
}
