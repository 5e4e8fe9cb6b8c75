/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** What was done, and what was wrong. Safe for use by several threads. */
final class Findings {

    private static final int PRINTED = 1_000;
    private static final int LONGEST = 1_000;

    private final long start = System.nanoTime();
    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();
    private final AtomicInteger wrong = new AtomicInteger();

    void count(String what, long number) {
        counts.computeIfAbsent(what, any -> new LongAdder()).add(number);
    }

    /** Notes and prints what must not be. */
    void wrong(String claim) {
        if (wrong.incrementAndGet() <= PRINTED) {
            say("WRONG: " + claim.substring(0, Math.min(claim.length(), LONGEST)));
        }
    }

    void check(boolean holds, String claim) {
        if (holds == false) {
            wrong(claim);
        }
    }

    /** Prints a line with the time since the start. */
    void say(String line) {
        System.out.printf(Locale.ROOT, "[%5d s] %s%n", (System.nanoTime() - start) / 1_000_000_000, line);
    }

    int wrong() {
        return wrong.get();
    }

    /** All counts in one line. */
    String counts() {
        return counts.entrySet().stream()
                .map(count -> String.format(
                        Locale.ROOT, "%s %,d", count.getKey(), count.getValue().sum()))
                .collect(Collectors.joining(", "));
    }
}
