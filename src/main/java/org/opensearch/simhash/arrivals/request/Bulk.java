/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.search.ingest.FingerprintCounts.BulkTally;

/**
 * The request of the documents, read once from its context.
 *
 * @param tally null without a bulk
 * @param isSimulated whether nothing will be indexed
 */
public record Bulk(BulkChanges changes, BulkAnswer answer, BulkTally tally, boolean isSimulated) {

    public static Bulk of(ThreadContext context) {
        return new Bulk(
                BulkChanges.of(context), BulkAnswers.of(context), BulkTally.of(context), Simulations.isMarked(context));
    }
}
