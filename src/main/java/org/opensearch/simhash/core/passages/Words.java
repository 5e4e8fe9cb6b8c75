/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** The words of a document's texts, as hashes: a run is never longer than a text. Grows by {@link #add}. Not thread-safe while it grows. */
public final class Words {

    private static final int FIRST_CAPACITY = 256;

    private final LongConsumer memory;
    private long[] hashes = new long[FIRST_CAPACITY];
    private int size;
    private int[] ends = new int[1];
    private int texts;

    /** @param memory gets the bytes before they are taken, and may refuse them with an exception; the caller gives them back */
    public Words(LongConsumer memory) {
        this.memory = memory;
    }

    public void add(long hash) {
        if (size == hashes.length) {
            memory.accept((long) Long.BYTES * size);
            hashes = Arrays.copyOf(hashes, 2 * size);
        }
        hashes[size++] = hash;
    }

    public void addAll(Words others) {
        if (others.size > hashes.length - size) {
            int capacity = Math.max(size + others.size, 2 * size);
            memory.accept((long) Long.BYTES * (capacity - hashes.length));
            hashes = Arrays.copyOf(hashes, capacity);
        }
        System.arraycopy(others.hashes, 0, hashes, size, others.size);
        for (int text = 0, before = size; text < others.texts; text++) {
            size = before + others.ends[text];
            endText();
        }
    }

    /** Forgets all, and keeps the room. */
    public void clear() {
        size = 0;
        texts = 0;
    }

    public void endText() {
        if (texts == ends.length) {
            memory.accept((long) Integer.BYTES * texts);
            ends = Arrays.copyOf(ends, 2 * texts);
        }
        ends[texts++] = size;
    }

    public int size() {
        return size;
    }

    public int texts() {
        return texts;
    }

    /** First word of text {@code i}. */
    public int from(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }

    /** End of the words of text {@code i}. */
    public int to(int i) {
        return ends[i];
    }

    public long hash(int word) {
        return hashes[word];
    }

    public int textOf(int word) {
        int i = Arrays.binarySearch(ends, 0, texts, word + 1);
        // Texts without words end where the one before them does.
        int text = i < 0 ? -i - 1 : i;
        while (text > 0 && ends[text - 1] > word) {
            text--;
        }
        return text;
    }

    /** How many equal words follow two places up to their bounds ({@code step} 1), or stand before them ({@code step} -1). */
    int equal(int place, int bound, Words other, int otherPlace, int otherBound, int step, int most) {
        int first = step > 0 ? 0 : -1;
        int equal = 0;
        for (int at = place, otherAt = otherPlace;
                equal < most
                        && (bound - at) * step > 0
                        && (otherBound - otherAt) * step > 0
                        && hash(at + first) == other.hash(otherAt + first);
                at += step, otherAt += step) {
            equal++;
        }
        return equal;
    }

    public long bytes() {
        return (long) Long.BYTES * hashes.length + (long) Integer.BYTES * ends.length;
    }
}
