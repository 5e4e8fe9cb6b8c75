/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.LinkedHashMap;
import java.util.Map;

/** Milliseconds by phase. Not thread-safe. */
public final class PhaseTimes {

    private final Map<String, Long> millis = new LinkedHashMap<>();
    private final long start = System.nanoTime();
    private long last = start;

    /** Adds the time since the last call to a phase. */
    public void end(String phase) {
        long now = System.nanoTime();
        add(phase, (now - last) / 1_000_000);
        last = now;
    }

    /** Adds a duration that was measured elsewhere, in place of the time since the last call. */
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
