/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.Outcome;

/**
 * What all writes of a run need, once its groups are known.
 *
 * @param runId noted in what is written
 * @param table the documents of the groups, by rank
 * @param outcome counts the writes
 * @param consent is asked before each bulk request
 */
public record JobWrites(
        JobRun run, String runId, DocumentTable table, BulkWrites bulks, Outcome outcome, Consent consent) {}
