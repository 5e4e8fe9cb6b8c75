/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.counts;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** One monotonic counter per constant of an enum. Thread-safe; counting takes nanoseconds under contention. */
public final class Counters<E extends Enum<E>> {

    /** Not modified after construction. */
    private final Map<E, LongAdder> counters;

    public Counters(Class<E> names) {
        this.counters = new EnumMap<>(names);
        for (E name : names.getEnumConstants()) {
            counters.put(name, new LongAdder());
        }
    }

    public void increment(E name) {
        counters.get(name).increment();
    }

    public void add(E name, long amount) {
        if (amount != 0) {
            counters.get(name).add(amount);
        }
    }

    public long get(E name) {
        return counters.get(name).sum();
    }

    /** All counts by lowercase name, in order of the constants. */
    public Map<String, Long> toMap() {
        Map<String, Long> byName = new LinkedHashMap<>();
        counters.forEach((name, counter) -> byName.put(name.name().toLowerCase(Locale.ROOT), counter.sum()));
        return byName;
    }

    /** The last value of each name, for the {@value #MOST} names that changed last. Thread-safe. */
    public static final class LastSeen<V> {

        static final int MOST = 1_000;

        private final Map<String, V> values = new LinkedHashMap<>();

        public synchronized void put(String name, V value) {
            values.remove(name);
            values.put(name, value);
            if (values.size() > MOST) {
                values.remove(values.keySet().iterator().next());
            }
        }

        /** A copy, the oldest first. */
        public synchronized Map<String, V> toMap() {
            return new LinkedHashMap<>(values);
        }
    }
}
