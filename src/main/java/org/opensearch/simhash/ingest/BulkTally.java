/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * What the processors made of the documents of one bulk, in its context, until its answer tells how many were indexed. Thread-safe.
 */
public final class BulkTally {

    static final String KEY = "_simhash_bulk_tally";

    private final AtomicInteger fingerprinted = new AtomicInteger();
    private final AtomicInteger marked = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    /** Of the bulk that runs in a context; null when there is none. */
    public static BulkTally of(ThreadContext context) {
        return context.getTransient(KEY);
    }

    void fingerprinted() {
        fingerprinted.incrementAndGet();
    }

    /** One with a fingerprint is indexed as a near-duplicate, and counted as that. */
    public void marked() {
        marked.incrementAndGet();
    }

    /** One with a fingerprint is not indexed, because it is a near-duplicate. */
    public void ended() {
        ended.incrementAndGet();
    }

    /**
     * How many documents got a fingerprint here and were indexed, and are nothing else. Of a bulk that also brings documents
     * without a fingerprint, those that failed on their shards are thought to be these.
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
