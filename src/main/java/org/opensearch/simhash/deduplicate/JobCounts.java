/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import org.opensearch.common.CheckedSupplier;
import org.opensearch.simhash.counts.Counters;

/** Counts the jobs of a node, and what came of their writes. Thread-safe. */
public final class JobCounts {

    private final Counters<JobCount> counts = new Counters<>(JobCount.class);

    public Counters<JobCount> counts() {
        return counts;
    }

    /** Runs a job. Whatever a cancelled one stumbled over, it was cancelled. */
    <T> T run(DeduplicateTask task, Outcome outcome, CheckedSupplier<T, Exception> job) throws Exception {
        JobCount end = JobCount.FAILED;
        counts.increment(JobCount.STARTED);
        try {
            T result = job.get();
            end = JobCount.COMPLETED;
            return result;
        } catch (Exception e) {
            if (task.isCancelled()) {
                end = JobCount.CANCELLED;
                task.ensureNotCancelled();
            }
            throw e;
        } finally {
            counts.increment(end);
            add(outcome);
        }
    }

    private void add(Outcome outcome) {
        counts.add(JobCount.TAGGED, outcome.tagged);
        counts.add(JobCount.CLEARED, outcome.cleared);
        counts.add(JobCount.DELETED, outcome.deleted);
        counts.add(JobCount.ARCHIVED, outcome.archived);
        counts.add(JobCount.RESTORED, outcome.restored);
        counts.add(JobCount.VERSION_CONFLICTS, outcome.conflicts);
    }
}
