/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.ingest.FingerprintCounts.FingerprintCount;
import org.opensearch.simhash.search.warnings.RequestWarnings;
import org.opensearch.tasks.Task;

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
     * @param place where it stands; asked for only in a bulk
     */
    void made(FingerprintProcessor maker, Supplier<List<String>> place, Map<?, ?> fields) {
        BulkTally tally = BulkTally.of(context.get());
        if (tally != null) {
            tally.made(maker, place.get(), fields);
        }
    }

    /** Whether another processor made a fingerprint of this bulk. */
    boolean isMadeByAnother(FingerprintProcessor processor, Supplier<List<String>> place, Map<?, ?> fields) {
        BulkTally tally = BulkTally.of(context.get());
        return tally != null && tally.isMadeByAnother(processor, place.get(), fields);
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

    /** Counts of the node's {@code simhash} processors. */
    public enum FingerprintCount {
        /** Documents that got a fingerprint or are too short for one. */
        DOCUMENTS,
        /** Documents with too few features, but at least one. */
        TOO_SHORT,
        /** Documents without a text, or without words in it. */
        NO_TEXT,
        /** Documents that could not be fingerprinted. */
        FAILED,
        /** Fingerprinted documents that were indexed and are not near-duplicates. */
        INDEXED
    }

    /**
     * Gives each bulk a {@link BulkTally}, and counts the indexed documents of its answer. A forwarded bulk comes here
     * again on the node that ingests it.
     *
     * @param memory accounts for what is known of a bulk until its answer
     */
    public record TallyFilter(FingerprintCounts counts, LongConsumer memory) implements ActionFilter {

        @Override
        public int order() {
            return Integer.MAX_VALUE;
        }

        @Override
        public <Request extends ActionRequest, Response extends ActionResponse> void apply(
                Task task,
                String action,
                Request request,
                ActionRequestMetadata<Request, Response> metadata,
                ActionListener<Response> listener,
                ActionFilterChain<Request, Response> chain) {
            if (action.equals(BulkAction.NAME) == false) {
                chain.proceed(task, action, request, listener);
                return;
            }
            ThreadContext context = counts.context().get();
            // A bulk may be sent in the context of another one.
            StoredContext before = context.newStoredContext(true, List.of(BulkTally.KEY));
            try {
                BulkTally tally = new BulkTally(memory);
                context.putTransient(BulkTally.KEY, tally);
                chain.proceed(task, action, request, ActionListener.runBefore(counting(tally, listener), tally::close));
            } finally {
                before.restore();
            }
        }

        private <Response> ActionListener<Response> counting(BulkTally tally, ActionListener<Response> listener) {
            return ActionListener.delegateFailure(listener, (l, response) -> {
                if (response instanceof BulkResponse bulk) {
                    counts.documents().add(FingerprintCount.INDEXED, tally.indexed(bulk.getItems()));
                }
                l.onResponse(response);
            });
        }
    }
}
