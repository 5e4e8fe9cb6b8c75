/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.counts.Durations;
import org.opensearch.simhash.warnings.RequestWarnings;

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

    /**
     * A document was read. It is a warning if no document of the request had a source.
     *
     * @param without the warning, with {@code %s} for the number of documents
     */
    void read(String without, boolean hasSource) {
        RequestWarnings.of(context.get()).read(without, hasSource);
    }

    /**
     * Remembers a fingerprint until the bulk is answered: OpenSearch serialises the document between its pipelines.
     *
     * @param place where it stands
     */
    void made(FingerprintProcessor maker, List<String> place, Map<?, ?> fields) {
        BulkTally tally = BulkTally.of(context.get());
        if (tally != null) {
            tally.made(maker, place, fields);
        }
    }

    /** Whether another processor made a fingerprint of this bulk. */
    boolean isMadeByAnother(FingerprintProcessor processor, List<String> place, Map<?, ?> fields) {
        BulkTally tally = BulkTally.of(context.get());
        return tally != null && tally.isMadeByAnother(processor, place, fields);
    }

    /** A document has no text. */
    void withoutText() {
        documents.increment(FingerprintCount.NO_TEXT);
    }

    /** A document got a fingerprint, only a digest if it is too short, or neither if it has no words. */
    void made(boolean isTooShort, boolean isWithoutWords) {
        documents.increment(FingerprintCount.DOCUMENTS);
        if (isWithoutWords) {
            documents.increment(FingerprintCount.NO_TEXT);
        } else if (isTooShort) {
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
