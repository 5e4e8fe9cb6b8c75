/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Maps the code points of one text to symbols 0, 1, 2, … in order of first occurrence. Code points that it does not
 * have are {@link #FOREIGN}, which equals nothing. Immutable.
 */
final class Alphabet {

    static final int FOREIGN = -1;

    private static final int PAGE_BITS = 8;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    private static final long BYTES_PER_PAGE = (PAGE_MASK + 1L) * Integer.BYTES;

    private final int[][] pages = new int[(Character.MAX_CODE_POINT >> PAGE_BITS) + 1][];
    private final int size;
    /** A reference for each possible page, and the pages. */
    private final long bytes;

    Alphabet(int[] codePoints, LongConsumer memory) {
        memory.accept((long) Integer.BYTES * pages.length);
        int symbols = 0;
        int filled = 0;
        for (int c : codePoints) {
            int[] page = pages[c >> PAGE_BITS];
            if (page == null) {
                memory.accept(BYTES_PER_PAGE);
                page = new int[PAGE_MASK + 1];
                Arrays.fill(page, FOREIGN);
                pages[c >> PAGE_BITS] = page;
                filled++;
            }
            if (page[c & PAGE_MASK] == FOREIGN) {
                page[c & PAGE_MASK] = symbols++;
            }
        }
        this.size = symbols;
        this.bytes = (long) Integer.BYTES * pages.length + filled * BYTES_PER_PAGE;
    }

    long bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    /** Replaces code points by their symbols. */
    void encode(int[] codePoints) {
        for (int i = 0; i < codePoints.length; i++) {
            int[] page = pages[codePoints[i] >> PAGE_BITS];
            codePoints[i] = page == null ? FOREIGN : page[codePoints[i] & PAGE_MASK];
        }
    }

    /** Counts each symbol, without foreign ones. */
    int[] count(int[] symbols) {
        int[] counts = new int[size];
        for (int symbol : symbols) {
            if (symbol != FOREIGN) {
                counts[symbol]++;
            }
        }
        return counts;
    }
}
