/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** The rows of a page in columns: document, stratum, bits, digest; 24 bytes per row. Not thread-safe. */
final class PageRows {

    private static final int ROW_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;
    private final LongConsumer memory;
    private final int expected;
    private int size;
    private int[] documents = new int[0];
    private int[] strata = new int[0];
    private long[] bits = new long[0];
    private long[] digests = new long[0];

    /**
     * @param expected room is made for so many rows at once
     * @param memory is told the bytes first, and may refuse them
     */
    PageRows(int expected, LongConsumer memory) {
        this.expected = expected;
        this.memory = memory;
    }

    int size() {
        return size;
    }

    void add(int document, int stratum, long value, long digest) {
        makeRoom(1);
        documents[size] = document;
        strata[size] = stratum;
        bits[size] = value;
        digests[size++] = digest;
    }

    int stratum(int row) {
        return strata[row];
    }

    long bits(int row) {
        return bits[row];
    }

    long digest(int row) {
        return digests[row];
    }

    void setDigest(int row, long digest) {
        digests[row] = digest;
    }

    /** Overwrites a row by another one with a new digest. */
    void copy(int from, int to, long digest) {
        documents[to] = documents[from];
        strata[to] = strata[from];
        bits[to] = bits[from];
        digests[to] = digest;
    }

    void truncate(int newSize) {
        size = newSize;
    }

    /** End of the rows of the row's document. */
    int endOfDocument(int row) {
        int end = row + 1;
        while (end < size && documents[end] == documents[row]) {
            end++;
        }
        return end;
    }

    /**
     * Inserts a copy of a row for each of its further digests.
     *
     * @param from the first row that may have some
     * @param others by row
     */
    void insert(int from, Map<Integer, List<Long>> others) {
        int added = others.values().stream().mapToInt(List::size).sum();
        makeRoom(added);
        int to = size + added;
        // From the end, so that no row is overwritten before it is moved.
        for (int row = size - 1; row >= from && to > row + 1; row--) {
            for (long other : others.getOrDefault(row, List.of())) {
                copy(row, --to, other);
            }
            copy(row, --to, digests[row]);
        }
        size += added;
    }

    private void makeRoom(int rows) {
        int capacity = documents.length;
        while (size + rows > capacity) {
            capacity = Math.max(expected, 2 * capacity);
        }
        if (capacity > documents.length) {
            memory.accept((long) (capacity - documents.length) * ROW_BYTES);
            documents = Arrays.copyOf(documents, capacity);
            strata = Arrays.copyOf(strata, capacity);
            bits = Arrays.copyOf(bits, capacity);
            digests = Arrays.copyOf(digests, capacity);
        }
    }

    int[] documents() {
        return Arrays.copyOf(documents, size);
    }

    int[] strata() {
        return Arrays.copyOf(strata, size);
    }

    long[] bits() {
        return Arrays.copyOf(bits, size);
    }

    long[] digests() {
        return Arrays.copyOf(digests, size);
    }
}
