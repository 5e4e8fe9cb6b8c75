/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.memory.Account;
import org.opensearch.transport.client.Client;

/**
 * A run that has begun: what everything that finds its groups works with.
 *
 * @param client sends everything as children of the task
 * @param queries those of the options, looked up
 * @param fields what the indices make of the fields that the options name
 * @param pointInTime what is looked at, the same from the first page to the last
 * @param memory pays for all that the run keeps on this node; closed by who made it
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
        PhaseTimes times) {}
