/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.lookup;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets so many at a time look up, the others wait in their order without holding a thread: a node that receives more than it
 * can look up must not flood its search threads. Thread-safe.
 */
public final class LookupGate {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free;

    /** @param width so many at a time */
    public LookupGate(int width) {
        this.free = width;
    }

    /** Runs at once, or when others have left. What is run must {@link #leave} later on, in any case. */
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
