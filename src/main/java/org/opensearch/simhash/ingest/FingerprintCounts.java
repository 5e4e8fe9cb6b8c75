/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.function.Supplier;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.counts.Durations;

/**
 * What the node's processors that write fingerprints did. Thread-safe.
 *
 * @param times of all documents, those that failed included
 * @param context in which the tally of a bulk is found
 */
public record FingerprintCounts(
        Counters<FingerprintCount> documents, Durations times, Supplier<ThreadContext> context) {

    /** Nothing done yet. */
    public FingerprintCounts(Supplier<ThreadContext> context) {
        this(new Counters<>(FingerprintCount.class), Durations.ofTexts(), context);
    }

    /** A document got a fingerprint, or, when it is too short for one, a digest. */
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
