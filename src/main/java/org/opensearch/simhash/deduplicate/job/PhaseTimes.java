/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.LinkedHashMap;
import java.util.Map;

/** Milliseconds by phase. One thread. */
public final class PhaseTimes {

    private final Map<String, Long> millis = new LinkedHashMap<>();
    private final long start = System.nanoTime();
    private long last = start;

    /** What was done since the last end belongs to this phase. */
    public void end(String phase) {
        long now = System.nanoTime();
        add(phase, (now - last) / 1_000_000);
        last = now;
    }

    /** Somebody else measured what was done since the last end. */
    public void measured(String phase, long duration) {
        add(phase, duration);
        last = System.nanoTime();
    }

    private void add(String phase, long duration) {
        millis.merge(phase, duration, Long::sum);
    }

    public long sinceStart() {
        return (System.nanoTime() - start) / 1_000_000;
    }

    public Map<String, Long> byPhase() {
        return millis;
    }
}
