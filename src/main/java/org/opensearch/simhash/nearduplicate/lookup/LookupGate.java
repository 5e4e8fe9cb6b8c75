/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.lookup;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Limits concurrent lookups, so that bulks do not flood the search threads. Further ones wait in order, without a
 * thread. Thread-safe.
 */
public final class LookupGate {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free;

    /** @param width lookups at a time */
    public LookupGate(int width) {
        this.free = width;
    }

    /** Runs a lookup now, or later in its turn. It must {@link #leave} in any case. */
    void enter(Runnable lookup) {
        synchronized (this) {
            if (free == 0) {
                waiting.add(lookup);
                return;
            }
            free--;
        }
        lookup.run();
    }

    void leave() {
        Runnable following;
        synchronized (this) {
            following = waiting.poll();
            if (following == null) {
                free++;
                return;
            }
        }
        following.run();
    }

    synchronized int waiting() {
        return waiting.size();
    }
}
