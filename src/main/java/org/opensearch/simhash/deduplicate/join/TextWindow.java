/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** The documents whose texts can be compared now, {@value #SIZE} at most, fewer if they are long. Not thread-safe. */
final class TextWindow {

    static final int SIZE = 1_000;

    private final LinkCheck check;
    private final IntConsumer progress;
    private final int[] next = new int[SIZE];
    private int size;
    /** Ascending. */
    private int[] expected = new int[0];

    /** @param progress is told the current document */
    TextWindow(LinkCheck check, IntConsumer progress) {
        this.check = check;
        this.progress = progress;
    }

    boolean isFull() {
        return size == SIZE;
    }

    /**
     * Reads the texts of a document and of its next candidates, unless they are present. This may show that they cannot
     * be compared.
     *
     * @param others candidates, ascending
     * @param from the next candidate
     * @param isWanted which later candidates will be compared, too
     */
    void require(int document, int[] others, int from, int to, IntPredicate isWanted) {
        if (contains(document) && contains(others[from])) {
            return;
        }
        progress.accept(document);
        add(document);
        for (int i = from; i < to && isFull() == false; i++) {
            if (isWanted.test(others[i])) {
                add(others[i]);
            }
        }
        read();
    }

    /** Adds a document to the next window, if there is room and it can be compared. */
    void add(int document) {
        if (isFull() == false && check.isComparable(document)) {
            next[size++] = document;
        }
    }

    /** Replaces the window by the next one, as far as there is room. */
    void read() {
        int[] wanted = Arrays.stream(next, 0, size).distinct().toArray();
        size = 0;
        expected = Arrays.copyOf(wanted, check.expect(wanted));
        Arrays.sort(expected);
    }

    void clear() {
        size = 0;
        read();
    }

    boolean contains(int document) {
        return Arrays.binarySearch(expected, document) >= 0;
    }

    /** Whether a document and its best candidates, as many as a window takes, can be compared without a read. */
    boolean contains(int document, int[] near, int most) {
        boolean contained = contains(document);
        for (int i = 0; i < Math.min(near.length, Math.min(most, SIZE - 1)) && contained; i++) {
            contained = contains(near[i]) || check.isComparable(near[i]) == false;
        }
        return contained;
    }
}
