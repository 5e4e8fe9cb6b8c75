/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.groups;

import java.util.Arrays;
import java.util.function.IntBinaryOperator;
import java.util.function.IntToLongFunction;
import org.apache.lucene.util.IntroSorter;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.memory.RadixSort;

/** Sorts positions by a numeric key, and those with equal keys by comparison. Takes {@value #BYTES} bytes per position for the time of the sort. */
public final class Ranking {

    private static final int BYTES = Long.BYTES + RadixSort.BYTES;

    private Ranking() {}

    /** Equal keys cannot tell; the order compares two different positions, and is never 0. */
    public static void sort(int[] positions, IntToLongFunction key, IntBinaryOperator order, Account memory) {
        int size = positions.length;
        memory.take((long) size * BYTES);
        Arrays.setAll(positions, i -> i);
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
            keys[i] = key.applyAsLong(i);
        }
        RadixSort.sort(keys, positions, size);
        int start = 0;
        for (int i = 1; i <= size; i++) {
            if (i == size || keys[i] != keys[start]) {
                if (i - start > 1) {
                    new Sorter(positions, order).sort(start, i);
                }
                start = i;
            }
        }
        memory.give((long) size * BYTES);
    }

    private static final class Sorter extends IntroSorter {

        private final int[] positions;
        private final IntBinaryOperator order;
        private int pivot;

        Sorter(int[] positions, IntBinaryOperator order) {
            this.positions = positions;
            this.order = order;
        }

        @Override
        protected int compare(int i, int j) {
            return order.applyAsInt(positions[i], positions[j]);
        }

        @Override
        protected void swap(int i, int j) {
            int position = positions[i];
            positions[i] = positions[j];
            positions[j] = position;
        }

        @Override
        protected void setPivot(int i) {
            pivot = positions[i];
        }

        @Override
        protected int comparePivot(int j) {
            return order.applyAsInt(pivot, positions[j]);
        }
    }
}
