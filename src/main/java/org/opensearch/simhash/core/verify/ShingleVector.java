/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.memory.RadixSort;

/**
 * The shingles of a text with their weights {@code (1 + ln tf) * w}: {@code tf} is the count of the shingle, {@code w}
 * the mean weight of its tokens. Sorted by hash, so that two vectors are compared in one pass. 16 bytes per shingle.
 */
final class ShingleVector {

    private static final int FIRST_CAPACITY = 64;

    private final LongConsumer memory;
    private long[] hashes = new long[FIRST_CAPACITY];
    private double[] weights = new double[FIRST_CAPACITY];
    private int size;
    private double squares;

    private ShingleVector(LongConsumer memory) {
        this.memory = memory;
    }

    static ShingleVector of(
            TokenShingles shingles, TokenWeights weights, String text, LongConsumer memory, Runnable checkCancelled) {
        ShingleVector vector = new ShingleVector(memory);
        shingles.forEach(
                text,
                weights,
                (shingle, weight) -> {
                    vector.add(shingle, weight);
                    return true;
                },
                checkCancelled);
        vector.merge();
        return vector;
    }

    private void add(long shingle, double weight) {
        if (size == hashes.length) {
            long bytes = bytes();
            memory.accept(2 * bytes);
            hashes = Arrays.copyOf(hashes, 2 * size);
            weights = Arrays.copyOf(weights, 2 * size);
            memory.accept(-bytes);
        }
        hashes[size] = shingle;
        weights[size++] = weight;
    }

    /** Sorts the shingles, and merges equal ones. */
    private void merge() {
        long sorting = (long) (Double.BYTES + Integer.BYTES + RadixSort.BYTES) * hashes.length;
        memory.accept(sorting);
        int[] order = new int[size];
        Arrays.setAll(order, i -> i);
        RadixSort.sort(hashes, order, size);
        double[] merged = new double[weights.length];
        int distinct = 0;
        squares = 0;
        for (int i = 0; i < size; ) {
            int end = i + 1;
            while (end < size && hashes[end] == hashes[i]) {
                end++;
            }
            double weight = (1 + Math.log(end - i)) * weights[order[i]];
            hashes[distinct] = hashes[i];
            merged[distinct++] = weight;
            squares += weight * weight;
            i = end;
        }
        size = distinct;
        weights = merged;
        memory.accept(-sorting);
    }

    boolean isEmpty() {
        return size == 0;
    }

    long bytes() {
        return (long) (Long.BYTES + Double.BYTES) * hashes.length;
    }

    /** 0 to 1; 0 if either has no weight. */
    double cosine(ShingleVector other) {
        double product = 0;
        for (int i = 0, j = 0; i < size && j < other.size; ) {
            if (hashes[i] == other.hashes[j]) {
                product += weights[i++] * other.weights[j++];
            } else if (hashes[i] < other.hashes[j]) {
                i++;
            } else {
                j++;
            }
        }
        // Exactly 1 for equal vectors, because the root of a square is exact.
        return product == 0 ? 0 : Math.min(1, product / Math.sqrt(squares * other.squares));
    }
}
