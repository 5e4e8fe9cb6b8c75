/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.memory.Account;

/**
 * Whole documents are read, to be copied, restored or compared, in slices of about 5 MB. A slice is read page by page: how many
 * documents fit into the rest of it is known from those before, and pages stay small, for larger documents may follow. What a
 * slice takes of the heap is paid for, and given back with it. A page for which there is no room is read again with fewer
 * documents; one document alone waits for a while. One that makes a slice alone is refused then, and each that takes as much does not
 * wait after it; where there is no room for less, others take all of it. One thread.
 */
public final class ReadSlices {

    private static final long BYTES = 5 << 20;

    /** Of a document: as it was read, parsed, as it is to be written or compared, and sent. */
    private static final int COPIES = 4;

    /** Documents of a page, at first and later on. */
    private static final int FIRST = 16;

    private static final int MOST = 100;

    private static final int SMALLER = 4;

    private final LongConsumer memory;
    private final Retries retries;
    private int documents = FIRST;

    /** Of a document of the last page. */
    private long bytesEach = 1;

    /** What there was no room for, however long it waited. */
    private long tooMuch = Long.MAX_VALUE;

    private RuntimeException rejection;

    /** What becomes of a page. */
    enum Page {
        TAKEN,
        /** With fewer documents, or as one of the next slice. */
        READ_AGAIN,
        /** Of one document. */
        REFUSED
    }

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

    /** Says that a document was refused, and why. */
    public static String noRoom(RuntimeException rejection) {
        return "there is no room for the document, even alone: " + rejection.getMessage();
    }

    /** The next one. */
    public Slice next() {
        return new Slice();
    }

    /** A slice that is at work. */
    public final class Slice implements AutoCloseable {

        private final Account account = new Account(memory);
        private int size;
        private long bytes;
        private boolean isFull;

        private Slice() {}

        /** How many documents were read into it. */
        public int size() {
            return size;
        }

        boolean isFull() {
            return isFull;
        }

        /**
         * Reads the first of some documents, as many as make the slice.
         *
         * @param source what is wanted of each, for one search
         * @param visitor gets each hit with its address when it is paid for
         * @param refused gets those for which there is no room even alone, and why
         */
        public void read(
                PointInTime pointInTime,
                long[] addresses,
                Supplier<SearchSourceBuilder> source,
                BiConsumer<Long, SearchHit> visitor,
                BiConsumer<SearchHit, RuntimeException> refused) {
            while (size < addresses.length && isFull == false) {
                long[] page = Arrays.copyOfRange(addresses, size, size + page(addresses.length - size));
                Map<Long, SearchHit> hits = new LinkedHashMap<>();
                pointInTime.read(page, source.get(), hits::put);
                switch (take(page.length, bytes(hits.values()))) {
                    case TAKEN -> hits.forEach(visitor);
                    case REFUSED -> hits.values().forEach(hit -> refused.accept(hit, rejection));
                    case READ_AGAIN -> {}
                }
            }
        }

        /**
         * Reads the next hits, as many as make the slice, and at most so many.
         *
         * @param refused gets those for which there is no room even alone, and why
         */
        public List<SearchHit> read(HitPages pages, int most, BiConsumer<SearchHit, RuntimeException> refused) {
            List<SearchHit> read = new ArrayList<>();
            while (size < most && isFull == false && pages.isEnd() == false) {
                List<SearchHit> hits = Arrays.asList(pages.read(page(most - size)));
                Page page = take(hits.size(), bytes(hits));
                if (page == Page.TAKEN) {
                    read.addAll(hits);
                } else if (page == Page.REFUSED) {
                    hits.forEach(hit -> refused.accept(hit, rejection));
                }
                if (page != Page.READ_AGAIN) {
                    pages.pass(hits.toArray(SearchHit[]::new));
                }
            }
            return read;
        }

        /** How many documents are read next, of at most so many. */
        int page(int most) {
            long fitting = Math.max(1, (BYTES - bytes) / bytesEach);
            return (int) Math.min(fitting, Math.min(most, documents));
        }

        /**
         * Pays for a page. Where there is no room it is none of the slice, which is full then unless it is empty; one that is
         * refused is all of the slice.
         *
         * @param read its documents
         * @param length of what was read of them
         */
        Page take(int read, long length) {
            Page page = pay(read, length * COPIES);
            boolean isTaken = page == Page.TAKEN;
            bytesEach = Math.max(1, length / Math.max(1, read));
            int most = isTaken ? Math.max(documents, 2 * read) : read / SMALLER;
            documents = (int) Math.max(1, Math.min(BYTES / bytesEach, Math.min(MOST, most)));
            if (isTaken) {
                bytes += length;
            }
            if (page != Page.READ_AGAIN) {
                size += read;
            }
            isFull = isTaken ? bytes + bytesEach > BYTES : size > 0;
            return page;
        }

        private Page pay(int read, long taken) {
            try {
                account.take(taken);
                return Page.TAKEN;
            } catch (RuntimeException e) {
                if (Rejections.isOne(e) == false) {
                    throw e;
                }
                rejection = e;
            }
            if (read > 1 || size > 0) {
                return Page.READ_AGAIN; // The room that is lacking may be that of the slice itself.
            }
            return taken < tooMuch && waitFor(taken) ? Page.TAKEN : Page.REFUSED;
        }

        private boolean waitFor(long taken) {
            try {
                return retries.call(() -> {
                    account.take(taken);
                    return true;
                });
            } catch (RuntimeException e) {
                if (Rejections.isOne(e) == false || taken <= COPIES * BYTES) {
                    throw e;
                }
                tooMuch = taken; // A minute for each of them would be hours for some hundreds.
                return false;
            }
        }

        /** Gives the memory back. */
        @Override
        public void close() {
            account.close();
        }
    }

    private static long bytes(Collection<SearchHit> hits) {
        return hits.stream().mapToLong(ReadSlices::bytes).sum();
    }

    private static long bytes(SearchHit hit) {
        long ofFields = hit.getDocumentFields().values().stream()
                .flatMap(field -> field.getValues().stream())
                .mapToLong(value -> value instanceof String text ? (long) Character.BYTES * text.length() : Long.BYTES)
                .sum();
        return ofFields + (hit.hasSource() ? hit.getSourceRef().length() : 0);
    }
}
