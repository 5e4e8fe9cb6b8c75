/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.Comparator;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.fingerprint.LongHash;

/** Hashes of 128 or 256 bits. The nearest of several in a document counts. Some ten nanoseconds each. */
final class LongFingerprints extends StoredFingerprints {

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
        return values.of(doc, target.length()).stream()
                .min(Comparator.comparingInt(target::distance))
                .orElse(null);
    }
}
