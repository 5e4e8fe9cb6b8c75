/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.function.Supplier;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.counts.Durations;

/**
 * Counts of the node's processors that write fingerprints. Thread-safe.
 *
 * @param times of all documents, including failures
 * @param context holds the tally of a bulk
 */
public record FingerprintCounts(
        Counters<FingerprintCount> documents, Durations times, Supplier<ThreadContext> context) {

    public FingerprintCounts(Supplier<ThreadContext> context) {
        this(new Counters<>(FingerprintCount.class), Durations.ofTexts(), context);
    }

    /** A document got a fingerprint, or only a digest if it is too short. */
    void made(boolean isTooShort) {
        documents.increment(FingerprintCount.DOCUMENTS);
        if (isTooShort) {
            documents.increment(FingerprintCount.TOO_SHORT);
        } else {
            BulkTally tally = BulkTally.of(context.get());
            if (tally != null) {
                tally.fingerprinted();
            }
        }
    }

    void failed() {
        documents.increment(FingerprintCount.FAILED);
    }
}
