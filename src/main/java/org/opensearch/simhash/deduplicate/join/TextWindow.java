/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Documents whose texts can be compared: so many at a time, the next ones in the place of those before. One thread. */
final class TextWindow {

    /** How many texts may be expected at a time. */
    static final int SIZE = 1_000;

    private final EdgeCheck check;
    private final IntConsumer progress;
    private final int[] next = new int[SIZE];
    private int size;
    /** Ascending. */
    private int[] expected = new int[0];

    /** @param progress is told which document's turn it is, and may throw to end it */
    TextWindow(EdgeCheck check, IntConsumer progress) {
        this.check = check;
        this.progress = progress;
    }

    boolean isFull() {
        return size == SIZE;
    }

    /**
     * Reads what a document is compared with next, unless it is there.
     *
     * @param others ascending
     * @param from the next one
     * @param isWanted which of those behind it will be compared, too
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

    /** Puts a document into the next window, when there is room. */
    void add(int document) {
        if (isFull() == false) {
            next[size++] = document;
        }
    }

    /** Forgets the window before, and reads the next one. */
    void read() {
        expected = Arrays.stream(next, 0, size).sorted().distinct().toArray();
        size = 0;
        check.expect(expected);
    }

    /** Forgets all. */
    void clear() {
        size = 0;
        read();
    }

    boolean contains(int document) {
        return Arrays.binarySearch(expected, document) >= 0;
    }

    /** Whether a document can be compared with the first of those near to it, as many as a window takes. */
    boolean contains(int document, int[] near, int most) {
        boolean contained = contains(document);
        for (int i = 0; i < Math.min(near.length, Math.min(most, SIZE - 1)) && contained; i++) {
            contained = contains(near[i]);
        }
        return contained;
    }
}
