/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;

/** Known matches, too many to keep their distances, which are read again. */
final class MatchSet implements MatchSource {

    /** Bit {@code i} is document {@code base + i}. */
    private final FixedBitSet matches;

    private final int base;
    private final StoredFingerprints fingerprints;
    private final int[] docs = new int[MatchBatch.WINDOW];

    MatchSet(FixedBitSet matches, int base, StoredFingerprints fingerprints) {
        this.matches = matches;
        this.base = base;
        this.fingerprints = fingerprints;
    }

    @Override
    public int fill(int from, int to, int bound, MatchBatch batch) throws IOException {
        int size = 0;
        int doc = next(from);
        for (; doc < to && size < docs.length; doc = next(doc + 1)) {
            docs[size++] = doc;
        }
        fingerprints.verify(docs, size, bound, batch);
        return Math.min(doc, to);
    }

    @Override
    public int next(int from) {
        if (from >= base + matches.length()) {
            return DocIdSetIterator.NO_MORE_DOCS;
        }
        int next = matches.nextSetBit(from - base);
        return next == DocIdSetIterator.NO_MORE_DOCS ? next : base + next;
    }
}
