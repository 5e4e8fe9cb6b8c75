/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.util.Arrays;

/**
 * The code points of one text as symbols 0, 1, 2, …, in the order of their first occurrence. Code points of other texts that do
 * not occur in it are all {@link #FOREIGN}: they equal nothing. Immutable.
 */
final class Alphabet {

    static final int FOREIGN = -1;

    private static final int PAGE_BITS = 8;
    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;

    private final int[][] pages = new int[(Character.MAX_CODE_POINT >> PAGE_BITS) + 1][];
    private final int size;

    Alphabet(String text) {
        int symbols = 0;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            int[] page = pages[c >> PAGE_BITS];
            if (page == null) {
                page = pages[c >> PAGE_BITS] = new int[PAGE_MASK + 1];
                Arrays.fill(page, FOREIGN);
            }
            if (page[c & PAGE_MASK] == FOREIGN) {
                page[c & PAGE_MASK] = symbols++;
            }
        }
        this.size = symbols;
    }

    /** The number of symbols. */
    int size() {
        return size;
    }

    /**
     * The symbols of {@code text}.
     *
     * @param length code points of {@code text}
     */
    int[] encode(String text, int length) {
        int[] symbols = new int[length];
        for (int i = 0, j = 0, c; j < length; j++, i += Character.charCount(c)) {
            c = text.codePointAt(i);
            int[] page = pages[c >> PAGE_BITS];
            symbols[j] = page == null ? FOREIGN : page[c & PAGE_MASK];
        }
        return symbols;
    }

    /** How often each symbol occurs in {@code symbols}, foreign ones apart. */
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
