/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.pair.PairConditions;
import org.opensearch.transport.client.Client;

/**
 * A run and all that it works with.
 *
 * @param client sends requests as children of the task
 * @param queries of the options, with lookups done
 * @param fields how the indices map the fields of the options
 * @param pointInTime the same for all pages
 * @param memory accounts for what the run keeps; its creator closes it
 */
public record JobRun(
        JobServices services,
        JobTask task,
        Client client,
        DeduplicateOptions options,
        JobQueries queries,
        JobFields fields,
        PointInTime pointInTime,
        Account memory,
        PhaseTimes times) {

    /**
     * How the indices of a job map the fields that it names.
     *
     * @param indices with fingerprints, or with any documents if candidates are given; ascending
     * @param survivor sorts by the survivor fields, without {@code _id}
     * @param same doc values of fields that must be equal; empty where fingerprints are compared
     * @param onLinks the conditions on a pair that the links do not meet by themselves
     */
    public record JobFields(
            List<String> indices, List<SortBuilder<?>> survivor, List<FieldAndFormat> same, PairConditions onLinks) {}

    /** Milliseconds by phase. Not thread-safe. */
    public static final class PhaseTimes {

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
}
