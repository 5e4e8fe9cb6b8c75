/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Documents whose texts can be compared: so many at a time, or fewer when they are long, the next ones in the place of those before. One thread. */
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
     * Reads what a document is compared with next, unless it is there. Whether it can be compared may turn out then.
     *
     * @param others ascending
     * @param from the next one; as far as is known it can be compared, as the document itself
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

    /** Puts a document into the next window, when there is room, and if it can be compared with any. */
    void add(int document) {
        if (isFull() == false && check.isComparable(document)) {
            next[size++] = document;
        }
    }

    /** Forgets the window before, and reads the next one, as much of it as there is room for. */
    void read() {
        int[] wanted = Arrays.stream(next, 0, size).distinct().toArray();
        size = 0;
        expected = Arrays.copyOf(wanted, check.expect(wanted));
        Arrays.sort(expected);
    }

    /** Forgets all. */
    void clear() {
        size = 0;
        read();
    }

    boolean contains(int document) {
        return Arrays.binarySearch(expected, document) >= 0;
    }

    /** Whether nothing has to be read to compare a document with the first of those near to it, as many as a window takes. */
    boolean contains(int document, int[] near, int most) {
        boolean contained = contains(document);
        for (int i = 0; i < Math.min(near.length, Math.min(most, SIZE - 1)) && contained; i++) {
            contained = contains(near[i]) || check.isComparable(near[i]) == false;
        }
        return contained;
    }
}
