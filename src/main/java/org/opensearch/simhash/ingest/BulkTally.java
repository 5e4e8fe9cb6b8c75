/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * Counts of the processors' work on one bulk. It is in the bulk's context until the answer tells how many
 * were indexed. Thread-safe.
 */
public final class BulkTally {

    static final String KEY = "_simhash_bulk_tally";

    private final AtomicInteger fingerprinted = new AtomicInteger();
    private final AtomicInteger marked = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    /** The tally of the current bulk, or null. */
    public static BulkTally of(ThreadContext context) {
        return context.getTransient(KEY);
    }

    void fingerprinted() {
        fingerprinted.incrementAndGet();
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
