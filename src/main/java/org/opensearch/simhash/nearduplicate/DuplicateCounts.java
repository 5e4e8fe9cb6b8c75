/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.concurrent.atomic.LongAdder;

/** What the node's {@code near_duplicate} processors did since it started. Thread-safe. */
public final class DuplicateCounts {

    private final LongAdder lookedUp = new LongAdder();
    private final LongAdder tagged = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder rerouted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();

    void countLookedUp(int documents) {
        lookedUp.add(documents);
    }

    void countTagged() {
        tagged.increment();
    }

    void countDropped() {
        dropped.increment();
    }

    void countRerouted() {
        rerouted.increment();
    }

    void countRefused() {
        refused.increment();
    }

    void countFailed() {
        failed.increment();
    }

    /** Documents compared with others. */
    public long lookedUp() {
        return lookedUp.sum();
    }

    public long tagged() {
        return tagged.sum();
    }

    public long dropped() {
        return dropped.sum();
    }

    public long rerouted() {
        return rerouted.sum();
    }

    /** Documents refused because they are near-duplicates. */
    public long refused() {
        return refused.sum();
    }

    /** Documents of which nothing could be found out. */
    public long failed() {
        return failed.sum();
    }
}
