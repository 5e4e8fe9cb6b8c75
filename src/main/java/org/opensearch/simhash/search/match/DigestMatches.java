/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.search.DocIdSetIterator;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;

/**
 * The documents with the target's digest: distance 0, whatever their fingerprint or scheme. They are merged into the
 * batches of other matches. Usually there are few. One thread, forward only.
 */
final class DigestMatches {

    /** For a leaf without the digest. Stateless. */
    static final DigestMatches NONE = new DigestMatches(DocIdSetIterator.empty(), true);

    private final DocIdSetIterator postings;
    /** Empty until there is a document, since mostly there is none. */
    private int[] ahead = {};

    private boolean exhausted;
    private int first;
    private int size;

    DigestMatches(DocIdSetIterator postings) {
        this(postings, false);
    }

    private DigestMatches(DocIdSetIterator postings, boolean exhausted) {
        this.postings = postings;
        this.exhausted = exhausted;
    }

    int next(int from) throws IOException {
        while (first < size && ahead[first] < from) {
            first++;
        }
        if (first == size && exhausted == false) {
            read(from);
        }
        return first == size ? DocIdSetIterator.NO_MORE_DOCS : ahead[first];
    }

    boolean contains(int doc) throws IOException {
        return next(doc) == doc;
    }

    /** Most documents that {@link #mergeInto} adds. Call {@link #limit} first. */
    int maxAdded() {
        return ahead.length;
    }

    /** End of a range within {@code [from, to]} whose matches fit into a batch. */
    int limit(int from, int to) throws IOException {
        boolean more = next(from) < to && size == ahead.length;
        return more ? Math.min(to, ahead[size - 1] + 1) : to;
    }

    /** Adds the matches of a range from {@link #limit} to a batch of the same range. */
    void mergeInto(MatchBatch batch, int from, int to) throws IOException {
        if (next(from) >= to) {
            return;
        }
        int others = batch.size;
        int[] docs = Arrays.copyOf(batch.docs, others);
        short[] distances = Arrays.copyOf(batch.distances, others);
        batch.size = 0;
        int i = 0;
        for (; first < size && ahead[first] < to; first++) {
            for (; i < others && docs[i] < ahead[first]; i++) {
                batch.add(docs[i], distances[i]);
            }
            if (i < others && docs[i] == ahead[first]) {
                i++;
            }
            batch.add(ahead[first], 0);
        }
        for (; i < others; i++) {
            batch.add(docs[i], distances[i]);
        }
    }

    private void read(int from) throws IOException {
        first = 0;
        size = 0;
        int doc = postings.docID();
        if (doc < from) {
            doc = postings.advance(from);
        }
        if (doc != DocIdSetIterator.NO_MORE_DOCS && ahead.length == 0) {
            ahead = new int[MatchBatch.WINDOW];
        }
        for (; doc != DocIdSetIterator.NO_MORE_DOCS && size < ahead.length; doc = postings.nextDoc()) {
            ahead[size++] = doc;
        }
        exhausted = doc == DocIdSetIterator.NO_MORE_DOCS;
    }
}
