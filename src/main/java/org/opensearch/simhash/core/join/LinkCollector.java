/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.memory.Account;

/** Takes the links from the threads of a join. It counts all, marks linked fingerprints, and keeps links until they are too many. */
final class LinkCollector {

    /** Per fingerprint, for each of the two marks. */
    static final int MARK_BYTES = 1;

    /** A document of one side, one of the other, and one whose links are wanted: both ends of a link together have all of them. */
    private static final int ONE_SIDE = 1;

    private static final int OTHER_SIDE = 2;
    private static final int WANTED = 4;
    private static final int ALL = ONE_SIDE | OTHER_SIDE | WANTED;

    private static final int BETWEEN_CHECKS = 1 << 16;

    private final Fingerprints fingerprints;
    private final Chunks chunks;
    private final Wanted wanted;
    private final Account memory;
    private final LongConsumer progress;
    private final boolean[] linked;
    /** By fingerprint, which parts of a wanted link it can be; null if all links are wanted. */
    private final byte[] parts;

    /** Whether each link counts once and is wanted. */
    private final boolean isPlain;

    private final List<Part> threads = new ArrayList<>();
    private final AtomicLong kept = new AtomicLong();
    private volatile boolean tooMany;

    LinkCollector(Fingerprints fingerprints, Chunks chunks, Wanted wanted, Account memory, LongConsumer progress) {
        this.fingerprints = fingerprints;
        this.chunks = chunks;
        this.wanted = wanted;
        this.memory = memory;
        this.progress = progress;
        memory.take((long) fingerprints.size() * MARK_BYTES);
        this.linked = new boolean[fingerprints.size()];
        this.parts = wanted.linksOf() == null && fingerprints.rows().hasSides() == false ? null : parts();
        this.isPlain = parts == null && chunks.count() == 1 && fingerprints.areSingle();
    }

    private byte[] parts() {
        memory.take((long) fingerprints.size() * MARK_BYTES);
        byte[] found = new byte[fingerprints.size()];
        for (int value = 0; value < found.length; value++) {
            step(value);
            int others = fingerprints.others(value);
            int sides = (others < fingerprints.rows(value) ? ONE_SIDE : 0) | (others > 0 ? OTHER_SIDE : 0);
            boolean isWanted = wanted.linksOf() == null
                    || Arrays.stream(fingerprints.addresses(value)).anyMatch(wanted::wantsLinksOf);
            found[value] =
                    (byte) ((fingerprints.rows().hasSides() ? sides : ONE_SIDE | OTHER_SIDE) | (isWanted ? WANTED : 0));
        }
        return found;
    }

    /** Who looks at all fingerprints calls it at each: the progress may end the job. */
    void step(int value) {
        if (value % BETWEEN_CHECKS == 0) {
            progress.accept(0);
        }
    }

    long partBytes() {
        return wanted.forest() ? (long) fingerprints.size() * DisjointSets.BYTES : 0;
    }

    /** The collector of one thread, in all searches. Threads are asked for in their order. */
    Part part(int thread) {
        if (thread == threads.size()) {
            threads.add(new Part());
        }
        return threads.get(thread);
    }

    boolean isLinked(int value) {
        return linked[value];
    }

    boolean tooMany() {
        return tooMany;
    }

    /** Linked pairs of different documents. */
    long pairs() {
        return threads.stream().mapToLong(part -> part.pairs).sum();
    }

    void forEach(LinkList.Visitor<RuntimeException> visitor) {
        if (tooMany == false) {
            threads.forEach(part -> part.list.forEach(visitor));
        }
    }

    final class Part {

        /** Null if all links are wanted. */
        private final DisjointSets connected;

        private final LinkList list = new LinkList(memory);
        private long pairs;
        private long uncounted;

        private Part() {
            memory.take(partBytes());
            connected = wanted.forest() ? new DisjointSets(fingerprints.size()) : null;
        }

        /** Whether a link of two fingerprints is wanted, if they are near. */
        boolean wants(int a, int b) {
            return parts == null || (parts[a] | parts[b]) == ALL;
        }

        void add(int a, int b, int distance) {
            if (isPlain) {
                pairs++;
            } else if ((chunks.count() > 1 && chunks.owns(fingerprints.value(a), fingerprints.value(b)) == false)
                    || wants(a, b) == false) {
                return;
            } else {
                pairs += fingerprints.pairs(a, b);
            }
            // Threads that write the same marks again and again would wait for one another.
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
            if (++uncounted == Wanted.LEAST_LINKS) {
                // Never set to false: another thread may have found too many links and dropped its own.
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
