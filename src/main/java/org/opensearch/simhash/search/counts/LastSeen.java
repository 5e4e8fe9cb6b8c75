/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.counts;

import java.util.LinkedHashMap;
import java.util.Map;

/** The last value of each name, for the {@value #MOST} names that changed last. Thread-safe. */
public final class LastSeen<V> {

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
