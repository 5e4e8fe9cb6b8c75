/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;

/**
 * Compares the candidates of each term as it is read; fingerprints are reopened when a term goes back. Only matches are gathered: in a
 * list, or in a bit set once that is smaller. Gathering candidates instead is up to three times slower (docs/figures/decisions.md).
 */
final class VerifiedProbes {

    /** A tenth of a millisecond of work. */
    private static final int CANDIDATES_PER_CHECK = 1 << 13;

    /** Documents of most terms, when fingerprints are spread evenly. */
    private static final int FEW = 64;

    private final StoredFingerprints fingerprints;
    private final int from;
    private final int to;
    private final int bound;
    private final LeafEffort effort;
    private final PrintQuery.Listener listener;
    private final Cancellation cancellation;
    private int[] docs = new int[FEW];

    private MatchBatch verified = new MatchBatch(FEW);
    private int last = -1;
    /** Document in the high bits, distance in the low bits: sorts by document. */
    private long[] list = new long[16];

    private int unchecked;
    private int size;
    /** Replaces the list if not null. Bit {@code i} is document {@code from + i}. */
    private FixedBitSet set;

    VerifiedProbes(
            StoredFingerprints fingerprints,
            int from,
            int to,
            int bound,
            LeafEffort effort,
            PrintQuery.Listener listener,
            Cancellation cancellation) {
        this.fingerprints = fingerprints;
        this.from = from;
        this.to = to;
        this.bound = bound;
        this.effort = effort;
        this.listener = listener;
        this.cancellation = cancellation;
    }

    void add(PostingsEnum postings) throws IOException {
        int doc = postings.advance(from);
        if (doc <= last) {
            fingerprints.rewind();
        }
        while (doc < to) {
            int count = 0;
            for (; doc < to && count < docs.length; doc = postings.nextDoc()) {
                docs[count++] = doc;
            }
            last = docs[count - 1];
            verified.size = 0;
            fingerprints.verify(docs, count, bound, verified);
            effort.candidates += count;
            effort.compared += count;
            if (set == null && size + verified.size > Math.max(MatchBatch.WINDOW, (to - from) / Long.SIZE)) {
                turnIntoSet();
            }
            keepVerified();
            if (count == docs.length && count < MatchBatch.WINDOW) {
                docs = new int[MatchBatch.WINDOW];
                verified = new MatchBatch(MatchBatch.WINDOW);
            }
            unchecked += count;
            if (unchecked >= CANDIDATES_PER_CHECK) {
                cancellation.check();
                unchecked = 0;
            }
        }
    }

    private void turnIntoSet() {
        listener.keeps((to - from) / Byte.SIZE);
        set = new FixedBitSet(to - from);
        for (int i = 0; i < size; i++) {
            set.set((int) (list[i] >>> Short.SIZE) - from);
        }
        list = null;
    }

    private void keepVerified() {
        if (set != null) {
            for (int i = 0; i < verified.size; i++) {
                set.set(verified.docs[i] - from);
            }
            return;
        }
        if (size + verified.size > list.length) {
            growList(size + verified.size);
        }
        for (int i = 0; i < verified.size; i++) {
            list[size++] = (long) verified.docs[i] << Short.SIZE | verified.distances[i];
        }
    }

    private void growList(int length) {
        if (length > MatchBatch.WINDOW) {
            listener.keeps((long) ArrayUtil.oversize(length, Long.BYTES) * Long.BYTES);
        }
        list = ArrayUtil.grow(list, length);
    }

    /** The matches in order, without repetitions. */
    MatchSource matches() throws IOException {
        if (set != null) {
            fingerprints.rewind();
            return new MatchSet(set, from, fingerprints);
        }
        // For one or none, the call costs more than the rest.
        if (size > 1) {
            Arrays.sort(list, 0, size);
        }
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (i == 0 || list[i] != list[i - 1]) {
                list[kept++] = list[i];
            }
        }
        return new MatchList(list, kept);
    }

    /** Known matches with their distances. */
    static final class MatchList implements MatchSource {

        /** Ascending: document in the high bits, distance in the low bits. */
        private final long[] matches;

        private final int size;
        private int next;

        MatchList(long[] matches, int size) {
            this.matches = matches;
            this.size = size;
        }

        @Override
        public int fill(int from, int to, int bound, MatchBatch batch) {
            for (; next < size && doc(next) < to; next++) {
                if (batch.size == MatchBatch.WINDOW) {
                    return doc(next);
                }
                int distance = (int) matches[next] & 0xffff;
                if (doc(next) >= from && distance <= bound) {
                    batch.add(doc(next), distance);
                }
            }
            return to;
        }

        @Override
        public int maxAdded() {
            return Math.min(size, MatchBatch.WINDOW);
        }

        @Override
        public int next(int from) {
            return next < size ? Math.max(from, doc(next)) : Integer.MAX_VALUE;
        }

        private int doc(int match) {
            return (int) (matches[match] >>> Short.SIZE);
        }
    }

    /** Known matches, too many to keep their distances, which are read again. */
    private static final class MatchSet implements MatchSource {

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
}
