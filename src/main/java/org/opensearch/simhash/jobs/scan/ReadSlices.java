/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

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
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.scan.PointInTime.HitPages;
import org.opensearch.simhash.jobs.scan.Retries.Rejections;

/**
 * Reads whole documents, to copy, restore or compare them, in slices of about 5 MB. A slice is read in pages; the size
 * of a page follows from the documents before it. The breaker accounts for a slice until it is closed.
 *
 * <p>A page that the breaker refuses is read again with fewer documents. A single refused document waits a while, then it goes to {@code
 * refused}, with the reason. After that, documents of the same size or more are refused without waiting. Not thread-safe.
 */
public final class ReadSlices {

    private static final long BYTES = 5 << 20;

    /** Per document: as read, parsed, prepared, sent. */
    private static final int COPIES = 4;

    /** Times its content that a document takes while it is prepared: a page that leaves no room for one is of no use. */
    private static final int PREPARING = 8;

    /** Documents of the first page, of any page, and of one where all documents before it were small. */
    private static final int FIRST = 16;

    private static final int MOST = 100;

    private static final int MOST_SMALL = 400;

    private static final int SMALLER = 4;

    private final LongConsumer memory;
    private final Retries retries;
    private int documents = FIRST;

    private long bytesEach = 1;

    private long largest = 1;

    /** Size of a document that was refused after waiting. */
    private long tooMuch = Long.MAX_VALUE;

    private RuntimeException rejection;

    enum Page {
        TAKEN,
        /** It did not fit. Read fewer documents, or read it in the next slice. */
        READ_AGAIN,
        REFUSED
    }

    public ReadSlices(LongConsumer memory, Retries retries) {
        this.memory = memory;
        this.retries = retries;
    }

    public static String noRoom(RuntimeException rejection) {
        return "there is no room for the document, even alone: " + rejection.getMessage();
    }

    public Slice next() {
        return new Slice();
    }

    public final class Slice implements AutoCloseable {

        private final Account account = new Account(memory);
        private int size;
        private long bytes;
        private boolean isFull;

        private Slice() {}

        public int size() {
            return size;
        }

        boolean isFull() {
            return isFull;
        }

        /** Reads as many of the documents, from the first one on, as fit. */
        public void read(
                PointInTime pointInTime,
                long[] addresses,
                Supplier<SearchSourceBuilder> source,
                BiConsumer<Long, SearchHit> visitor,
                BiConsumer<SearchHit, RuntimeException> refused) {
            read((page, hits) -> pointInTime.read(page, source.get(), hits), addresses, visitor, refused);
        }

        /** @param reader reads documents by their addresses */
        void read(
                BiConsumer<long[], BiConsumer<Long, SearchHit>> reader,
                long[] addresses,
                BiConsumer<Long, SearchHit> visitor,
                BiConsumer<SearchHit, RuntimeException> refused) {
            while (size < addresses.length && isFull == false) {
                long[] page = Arrays.copyOfRange(addresses, size, size + page(addresses.length - size));
                Map<Long, SearchHit> hits = new LinkedHashMap<>();
                reader.accept(page, hits::put);
                switch (take(page.length, bytes(hits.values()), largest(hits.values()))) {
                    case TAKEN -> hits.forEach(visitor);
                    case REFUSED -> hits.values().forEach(hit -> refused.accept(hit, rejection));
                    case READ_AGAIN -> {}
                }
            }
        }

        /** Reads as many of the next hits as fit, and at most {@code limit}. */
        public List<SearchHit> read(HitPages pages, int limit, BiConsumer<SearchHit, RuntimeException> refused) {
            List<SearchHit> read = new ArrayList<>();
            while (size < limit && isFull == false && pages.isEnd() == false) {
                List<SearchHit> hits = Arrays.asList(pages.read(page(limit - size)));
                Page page = take(hits.size(), bytes(hits), largest(hits));
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

        int page(int limit) {
            long fitting = Math.max(1, (BYTES - bytes) / bytesEach);
            return (int) Math.min(fitting, Math.min(limit, documents));
        }

        /**
         * Accounts for a page. A page that does not fit ends the slice, unless the slice is empty. A refused document
         * is a slice of its own.
         *
         * @param ofLargest of the content of the largest one
         */
        Page take(int read, long length, long ofLargest) {
            Page page = pay(read, length * COPIES, ofLargest * PREPARING);
            boolean isTaken = page == Page.TAKEN;
            bytesEach = Math.max(1, length / Math.max(1, read));
            largest = Math.max(largest, ofLargest);
            int wanted = isTaken ? Math.max(documents, 2 * read) : read / SMALLER;
            // Few are read at once where a large one may come.
            int fitting = Math.clamp(BYTES / largest, MOST, MOST_SMALL);
            documents = (int) Math.max(1, Math.min(BYTES / bytesEach, Math.min(fitting, wanted)));
            if (isTaken) {
                bytes += length;
            }
            if (page != Page.READ_AGAIN) {
                size += read;
            }
            isFull = isTaken ? bytes + bytesEach > BYTES : size > 0;
            return page;
        }

        private Page pay(int read, long taken, long preparing) {
            boolean isAlone = read == 1 && size == 0;
            long left = isAlone ? 0 : preparing;
            try {
                account.take(taken + left);
                account.give(left);
                return Page.TAKEN;
            } catch (RuntimeException e) {
                if (Rejections.isOne(e) == false) {
                    throw e;
                }
                rejection = e;
            }
            if (isAlone == false) {
                return Page.READ_AGAIN; // Closing this slice may free enough memory.
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
                tooMuch = taken; // Waiting a minute for each of some hundreds would take hours.
                return false;
            }
        }

        @Override
        public void close() {
            account.close();
        }
    }

    private static long bytes(Collection<SearchHit> hits) {
        return hits.stream().mapToLong(ReadSlices::bytes).sum();
    }

    private static long largest(Collection<SearchHit> hits) {
        return hits.stream().mapToLong(ReadSlices::bytes).max().orElse(0);
    }

    private static long bytes(SearchHit hit) {
        long ofFields = hit.getDocumentFields().values().stream()
                .flatMap(field -> field.getValues().stream())
                .mapToLong(value -> value instanceof String text ? (long) Character.BYTES * text.length() : Long.BYTES)
                .sum();
        return ofFields + (hit.hasSource() ? hit.getSourceRef().length() : 0);
    }
}
