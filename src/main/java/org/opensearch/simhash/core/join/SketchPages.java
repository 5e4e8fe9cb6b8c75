/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sketch.SketchWords;

/**
 * {@linkplain SketchWords Words} of sketches in pages of {@value #PAGE} words, on the heap or in a file. A sketch is in one page, and its
 * place is a number. One thread adds; then many may read, each with a {@link Reader} of its own.
 */
final class SketchPages implements AutoCloseable {

    private static final int PAGE = 1 << 15;
    private static final long PAGE_BYTES = (long) PAGE * Long.BYTES;

    private final Account memory;

    /** The full pages on the heap; empty if they are in a file. */
    private final List<long[]> pages = new ArrayList<>();

    /** Null if pages are on the heap. */
    private final ScratchFile file;

    private long[] page = new long[PAGE];
    private int used;
    private int full;
    private int longest;

    /** @param folder for a file; null for the heap */
    SketchPages(Path folder, Account memory) {
        memory.take(PAGE_BYTES);
        this.memory = memory;
        this.file = folder == null ? null : new ScratchFile(folder);
    }

    /**
     * Copies a sketch and labels the copy. Returns its place.
     *
     * @param at where its words start
     */
    int add(long[] words, int at, int label) {
        int length = SketchWords.length(SketchWords.permutations(words, at));
        if (used + length > PAGE) {
            turnPage();
        }
        System.arraycopy(words, at, page, used, length);
        SketchWords.label(page, used, label);
        int place = Math.addExact(Math.multiplyExact(full, PAGE), used);
        used += length;
        longest = Math.max(longest, length);
        return place;
    }

    /** Call it when all are added. */
    void end() {
        if (used > 0) {
            turnPage();
        }
    }

    private void turnPage() {
        if (file == null) {
            memory.take(PAGE_BYTES);
            pages.add(page);
            page = new long[PAGE];
        } else {
            file.write(full * PAGE_BYTES, page, 0, PAGE);
        }
        full++;
        used = 0;
    }

    /** Of heap, for one reader. */
    long readerBytes() {
        return file == null ? 0 : PAGE_BYTES;
    }

    Reader reader() {
        return new Reader();
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }

    /** The words of the last sketch that it has read. One thread. */
    final class Reader {

        long[] words;

        /** Where they start. */
        int at;

        /** The page that is read in order; -1 if there is none. */
        private int read = -1;

        private long[] inOrder;
        private long[] single;

        void read(int place) {
            if (file == null) {
                words = pages.get(place / PAGE);
                at = place % PAGE;
                return;
            }
            single = single == null ? new long[longest] : single;
            words = single;
            at = 0;
            file.read((long) place * Long.BYTES, words, 0, Math.min(longest, PAGE - place % PAGE));
        }

        /** The same, faster where places ascend. */
        void readNext(int place) {
            if (file == null) {
                read(place);
                return;
            }
            if (place / PAGE != read) {
                inOrder = inOrder == null ? new long[PAGE] : inOrder;
                read = place / PAGE;
                file.read(read * PAGE_BYTES, inOrder, 0, PAGE);
            }
            words = inOrder;
            at = place % PAGE;
        }
    }
}
