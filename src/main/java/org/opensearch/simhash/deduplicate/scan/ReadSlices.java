/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.function.LongConsumer;
import org.opensearch.simhash.memory.Account;

/**
 * Whole documents are read, to be copied, restored or compared, in slices of about 5 MB: how many documents that are is known
 * from those before. What a slice takes of the heap is paid for, and given back with it; where there is no room for it, it waits
 * for a while. One thread.
 */
public final class ReadSlices {

    private static final long BYTES = 5 << 20;

    /** Of a document: as it was read, parsed, as it is to be written or compared, and sent. */
    private static final int COPIES = 4;

    private static final int FIRST = 16;

    private final LongConsumer memory;
    private final Retries retries;
    private int documents = FIRST;

    /**
     * None yet.
     *
     * @param memory pays for the slices
     * @param retries how it is asked again when it refuses
     */
    public ReadSlices(LongConsumer memory, Retries retries) {
        this.memory = memory;
        this.retries = retries;
    }

    /** A slice that is at work; takes the length of each source, in bytes, before it is parsed. */
    public final class Slice implements LongConsumer, AutoCloseable {

        private final Account account = new Account(memory);
        private final int size;
        private long bytes;

        private Slice(int size) {
            this.size = size;
        }

        public int size() {
            return size;
        }

        @Override
        public void accept(long length) {
            retries.call(() -> {
                account.take(length * COPIES);
                return null;
            });
            bytes += length;
        }

        /** Gives the memory back. The next slice is at most twice as long: larger documents may follow. */
        @Override
        public void close() {
            account.close();
            long fitting = BYTES * size / Math.max(1, bytes);
            documents = (int) Math.max(1, Math.min(fitting, Math.max(documents, 2L * size)));
        }
    }

    /** How many documents the next one has when there are so many. */
    public int size(int most) {
        return Math.min(most, documents);
    }

    /** The next one, of at most so many documents. */
    public Slice next(int most) {
        return new Slice(size(most));
    }
}
