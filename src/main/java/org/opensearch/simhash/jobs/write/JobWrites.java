/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRun;

/**
 * What all writes of a run need, once its groups are known.
 *
 * @param runId noted in what is written
 * @param table the documents of the groups, by rank
 * @param outcome counts the writes
 * @param consent is asked before each bulk request
 */
public record JobWrites(
        JobRun run, String runId, DocumentTable table, BulkWrites bulks, JobOutcome outcome, Consent consent) {

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
