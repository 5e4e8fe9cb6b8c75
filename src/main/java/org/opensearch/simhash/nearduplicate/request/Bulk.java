/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.simhash.ingest.BulkTally;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;

/**
 * The request that documents come with, read once from its context.
 *
 * @param changes what it does to documents by their ids
 * @param answer to it
 * @param tally of its documents; null when there is no bulk
 * @param isSimulated whether nothing of it is to be indexed
 */
public record Bulk(BulkChanges changes, BulkAnswer answer, BulkTally tally, boolean isSimulated) {

    public static Bulk of(ThreadContext context) {
        return new Bulk(
                BulkChanges.of(context), BulkAnswers.of(context), BulkTally.of(context), Simulations.isMarked(context));
    }
}
