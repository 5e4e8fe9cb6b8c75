/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.simhash.counts.LastSeen;

/** What the last checks on this node found, by index, for its metrics. Thread-safe. */
public final class LastChecks {

    /**
     * The last check of an index.
     *
     * @param at milliseconds since 1970
     * @param findings by code
     */
    public record LastCheck(long at, Map<String, Long> findings) {}

    private final LastSeen<LastCheck> checks = new LastSeen<>();

    void note(String index, Collection<Finding> findings) {
        Map<String, Long> codes = new TreeMap<>();
        findings.forEach(finding -> codes.merge(finding.code().toString(), 1L, Long::sum));
        checks.put(index, new LastCheck(System.currentTimeMillis(), codes));
    }

    /** By index. */
    public Map<String, LastCheck> all() {
        return checks.toMap();
    }
}
