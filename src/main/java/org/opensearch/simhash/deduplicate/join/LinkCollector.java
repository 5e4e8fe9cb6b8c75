/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.simhash.memory.Account;

/**
 * Takes the links that the threads of a join find: counts all, marks who has any, and keeps them as long as they are not too many.
 */
final class LinkCollector {

    /** Bytes per fingerprint: of the mark that it has a link, and of that which says whether its links are wanted. */
    static final int MARK_BYTES = 1;

    /** Links are counted in steps of so many. */
    static final int COUNTED = 1 << 14;

    private final DistinctFingerprints distinct;
    private final Chunks chunks;
    private final Wanted wanted;
    private final Account memory;
    private final boolean[] linked;
    private final boolean[] front;

    /** Whether each pair counts once, and is wanted. */
    private final boolean isPlain;

    private final List<Part> parts = new ArrayList<>();
    private final AtomicLong kept = new AtomicLong();
    private volatile boolean tooMany;

    LinkCollector(DistinctFingerprints distinct, Chunks chunks, Wanted wanted, Account memory) {
        this.distinct = distinct;
        this.chunks = chunks;
        this.wanted = wanted;
        this.memory = memory;
        memory.take((long) distinct.size() * MARK_BYTES);
        this.linked = new boolean[distinct.size()];
        this.front = wanted.front() == null ? null : front();
        this.isPlain = front == null && chunks.count() == 1 && distinct.areSingle();
    }

    private boolean[] front() {
        memory.take((long) distinct.size() * MARK_BYTES);
        boolean[] isFront = new boolean[distinct.size()];
        for (int value = 0; value < isFront.length; value++) {
            for (int i = 0; i < distinct.rows(value) && isFront[value] == false; i++) {
                isFront[value] = wanted.isFront(distinct.address(value, i));
            }
        }
        return isFront;
    }

    /** What one thread finds. */
    Part newPart() {
        Part part = new Part();
        parts.add(part);
        return part;
    }

    boolean isLinked(int value) {
        return linked[value];
    }

    boolean tooMany() {
        return tooMany;
    }

    /** Pairs of fingerprints of different documents. */
    long pairs() {
        return parts.stream().mapToLong(part -> part.pairs).sum();
    }

    void forEach(PairList.Visitor visitor) {
        if (tooMany == false) {
            parts.forEach(part -> part.list.forEach(visitor));
        }
    }

    /** The links of one thread. */
    final class Part {

        /** Null when all links are wanted. */
        private final DisjointSets connected;

        private final PairList list = new PairList(memory);
        private long pairs;
        private long uncounted;

        private Part() {
            if (wanted.forest()) {
                memory.take((long) distinct.size() * DisjointSets.BYTES);
                connected = new DisjointSets(distinct.size());
            } else {
                connected = null;
            }
        }

        void add(int a, int b, int distance) {
            if (isPlain) {
                pairs++;
            } else if (chunks.owns(distinct.values()[a], distinct.values()[b]) == false
                    || (front != null && front[a] == false && front[b] == false)) {
                return;
            } else {
                pairs += distinct.pairs(a, b);
            }
            // Where all are near all, threads that write the same marks again wait for one another.
            if (linked[a] == false) {
                linked[a] = true;
            }
            if (linked[b] == false) {
                linked[b] = true;
            }
            if (tooMany || (connected != null && connected.unite(a, b) == false)) {
                return;
            }
            list.add(a, b, distance);
            if (++uncounted == COUNTED) {
                // Never written back as false: another thread may have found that they are too many, and forgotten its
                // own.
                if (kept.addAndGet(uncounted) > wanted.mostLinks()) {
                    tooMany = true;
                }
                uncounted = 0;
                if (tooMany) {
                    list.clear();
                }
            }
        }
    }
}
