/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.job.Outcome;

/**
 * The groups of a run are found: what everything that writes works with.
 *
 * @param runId noted in what is written
 * @param table the documents of the groups, by rank
 * @param bulks sends bulk requests
 * @param outcome takes what comes of them
 */
public record JobWrites(JobRun run, String runId, DocumentTable table, BulkWrites bulks, Outcome outcome) {}
