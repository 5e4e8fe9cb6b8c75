/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.common.Randomness;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.memory.LongSet;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.ingest.FingerprintCounts.FingerprintCount;
import org.opensearch.simhash.search.warnings.RequestFilter;
import org.opensearch.simhash.search.warnings.RequestWarnings;

/**
 * Counts of the node's processors that write fingerprints. Thread-safe.
 *
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

    boolean isMadeByAnother(FingerprintProcessor processor, Supplier<List<String>> place, Map<?, ?> fields) {
        BulkTally tally = BulkTally.of(context.get());
        return tally != null && tally.isMadeByAnother(processor, place.get(), fields);
    }

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
    public record TallyFilter(FingerprintCounts counts, LongConsumer memory) implements RequestFilter {

        @Override
        public <R> void filter(
                String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed) {
            if (action.equals(BulkAction.NAME) == false) {
                proceed.accept(listener);
                return;
            }
            ThreadContext context = counts.context().get();
            // A bulk may be sent in the context of another one.
            StoredContext before = context.newStoredContext(true, List.of(BulkTally.KEY));
            try {
                BulkTally tally = new BulkTally(memory);
                context.putTransient(BulkTally.KEY, tally);
                ActionListener<R> answering =
                        ActionListener.notifyOnce(ActionListener.runBefore(counting(tally, listener), tally::close));
                tally.failBy(answering::onFailure);
                proceed.accept(answering);
            } finally {
                before.restore();
            }
        }

        /** Before the filter whose answer may be a failure: what it holds ends with the bulk. */
        @Override
        public int order() {
            return Integer.MAX_VALUE - 1;
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

    /**
     * The processors' work on one bulk: counts, and what was made, for pipelines that follow. It is in the bulk's context
     * until the answer tells how many were indexed. Some hundred bytes for each document. Thread-safe.
     */
    public static final class BulkTally implements Releasable {

        static final String KEY = "_simhash_bulk_tally";

        private static final Hasher64 HASH = Hashing.polymurHash2_0(
                Randomness.createSecure().nextLong(),
                Randomness.createSecure().nextLong(),
                Randomness.createSecure().nextLong());

        private static final List<String> PARTS = List.of(
                FingerprintFields.SCHEME,
                FingerprintFields.DIGEST,
                FingerprintFields.HASH,
                FingerprintFields.BITS,
                FingerprintFields.SKETCH);

        /**
         * Heap bytes of a fingerprint in a parsed document, at least. OpenSearch holds all documents of a bulk at once, and
         * its parent breaker looks at the real heap whenever something is taken.
         */
        private static final int BYTES = 256;

        /** Fingerprints for which memory is taken at once. */
        private static final int AT_ONCE = 64;

        private final Account memory;
        private final List<FingerprintProcessor> makers = new ArrayList<>();

        private final LongSet made;
        private boolean isClosed;
        private volatile Consumer<Exception> failing = e -> {};
        private final HashStream64 stream = HASH.hashStream();
        private int all;
        private final AtomicInteger fingerprinted = new AtomicInteger();
        private final AtomicInteger marked = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();
        private final AtomicLong decoding = new AtomicLong();

        /** The tally of the current bulk, or null. */
        public static BulkTally of(ThreadContext context) {
            return context.getTransient(KEY);
        }

        BulkTally(LongConsumer memory) {
            this.memory = new Account(memory);
            this.made = new LongSet(this.memory);
        }

        /** @throws CircuitBreakingException without memory: a later pipeline would remove the fingerprint */
        synchronized void made(FingerprintProcessor maker, List<String> place, Map<?, ?> fields) {
            if (isClosed) {
                return; // the bulk has failed, and goes on all the same
            }
            if (all % AT_ONCE == 0) {
                memory.take(AT_ONCE * BYTES);
            }
            all++;
            if (makers.contains(maker) == false) {
                makers.add(maker);
            }
            made.add(key(maker, place, fields));
        }

        /** A processor knows whether it made the fingerprint itself, so a document cannot bring one of its own. */
        synchronized boolean isMadeByAnother(FingerprintProcessor processor, List<String> place, Map<?, ?> fields) {
            return makers.stream()
                    .anyMatch(maker -> maker.equals(processor) == false && made.slot(key(maker, place, fields)) >= 0);
        }

        private long key(FingerprintProcessor maker, List<String> place, Map<?, ?> fields) {
            stream.reset().putInt(makers.indexOf(maker));
            place.forEach(stream::putString);
            for (String part : PARTS) {
                stream.putString(String.valueOf(fields.get(part)));
            }
            return stream.getAsLong();
        }

        @Override
        public synchronized void close() {
            isClosed = true;
            failing = e -> {};
            memory.close();
        }

        /** @param how answers the bulk with an error, unless it is answered; released after the answer */
        public void failBy(Consumer<Exception> how) {
            failing = how;
        }

        /** Answers the bulk because of an exception on a thread of a processor: OpenSearch itself would never answer. */
        public void fail(String processor, Exception e) {
            failing.accept(new OpenSearchStatusException(
                    "nothing of the bulk was done: what comes after [" + processor + "] in a pipeline failed: "
                            + e.getMessage(),
                    RestStatus.INTERNAL_SERVER_ERROR,
                    e));
        }

        void fingerprinted() {
            fingerprinted.incrementAndGet();
        }

        /** Nanoseconds of a processor that images of the bulk took. */
        AtomicLong decoding() {
            return decoding;
        }

        /** The document is indexed as a near-duplicate, and counted as such. */
        public void marked() {
            marked.incrementAndGet();
        }

        /** The document is not indexed, because it is a near-duplicate. */
        public void ended() {
            ended.incrementAndGet();
        }

        /**
         * Number of documents that were fingerprinted here and indexed, and are not near-duplicates. In a bulk that also
         * has documents without fingerprint, failures are attributed to these.
         */
        long indexed(BulkItemResponse... items) {
            long stored = Arrays.stream(items).filter(BulkTally::isStored).count();
            long rest = (long) fingerprinted.get() - marked.get() - ended.get();
            return Math.max(0, Math.min(rest, stored - marked.get()));
        }

        private static boolean isStored(BulkItemResponse item) {
            return item.isFailed() == false
                    && item.getOpType() != OpType.DELETE
                    && item.getResponse().getResult() != DocWriteResponse.Result.NOOP;
        }
    }
}
