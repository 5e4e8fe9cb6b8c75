/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Action;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Linkage;

/** What all writes of a run need, once its groups are known. */
public record JobWrites(
        JobRun run, String runId, DocumentTable table, BulkWrites bulks, JobOutcome outcome, Consent consent) {

    /**
     * Whether a document may end for a survivor, or give it values. In a chain, two documents that do not meet the conditions may be
     * connected by others.
     */
    public boolean mayEnd(int member, int survivor) {
        return run.options().action() != Action.DELETE
                || run.options().linkage() == Linkage.SURVIVOR
                || table.meet(member, survivor);
    }

    /** Those that may be written now, by the rank of each; negative without links. May block. */
    public <T> List<T> wanted(List<T> items, ToIntFunction<T> rank) {
        IntPredicate wanted = consent.to(items.stream().mapToInt(rank));
        return items.stream().filter(item -> wanted.test(rank.applyAsInt(item))).toList();
    }

    /** Asked right before documents are written whether that is still wanted. May block. */
    @FunctionalInterface
    public interface Consent {

        /** Nobody can take it back. */
        Consent GIVEN = documents -> document -> true;

        /**
         * Which of these documents may be written.
         *
         * @param documents by rank; negative for those without links
         */
        IntPredicate to(IntStream documents);
    }
}
