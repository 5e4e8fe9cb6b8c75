/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fingerprints, each once per stratum, ascending within it, and the rows that have it. Sorting takes 24 bytes per row for a moment;
 * 16 bytes stay, and the addresses of the rows.
 */
final class DistinctFingerprints {

    /**
     * The fingerprints of one stratum, {@code [from, to)}.
     *
     * @param stratum what it is known by everywhere
     */
    record Slice(int from, int to, long stratum) {
        int size() {
            return to - from;
        }
    }

    private static final int SORT_BYTES = 2 * (Long.BYTES + Integer.BYTES);

    private final FingerprintRows rows;
    private final long[] values;

    /** Where the rows of a value start in {@link #order}. */
    private final int[] starts;

    private final int[] order;
    private final List<Slice> slices = new ArrayList<>();

    DistinctFingerprints(FingerprintRows rows) {
        this.rows = rows;
        int count = rows.withBits();
        rows.account().take((long) count * SORT_BYTES);
        this.order = new int[count];
        this.values = new long[count];
        int next = 0;
        for (int row = 0; row < rows.size(); row++) {
            if (rows.hasBits(row)) {
                order[next] = row;
                values[next++] = rows.bits(row);
            }
        }
        RadixSort.sort(values, order, count);
        if (hasOneStratum() == false) {
            sortByStratum();
        }
        rows.account().give((long) count * (SORT_BYTES - Long.BYTES - 2 * Integer.BYTES));
        this.starts = new int[count + 1];
        collapse();
    }

    private boolean hasOneStratum() {
        for (int row : order) {
            if (rows.stratum(row) != rows.stratum(order[0])) {
                return false;
            }
        }
        return true;
    }

    /** Sorting is stable: values stay ascending within a stratum. */
    private void sortByStratum() {
        for (int i = 0; i < order.length; i++) {
            values[i] = rows.stratum(order[i]);
        }
        RadixSort.sort(values, order, order.length);
        for (int i = 0; i < order.length; i++) {
            values[i] = rows.bits(order[i]);
        }
    }

    private void collapse() {
        int distinct = 0;
        int sliceStart = 0;
        for (int i = 0; i < order.length; i++) {
            boolean newStratum = i > 0 && rows.stratum(order[i]) != rows.stratum(order[i - 1]);
            if (newStratum) {
                slices.add(new Slice(sliceStart, distinct, rows.stratumKey(order[i - 1])));
                sliceStart = distinct;
            }
            if (i == 0 || newStratum || values[i] != values[distinct - 1]) {
                starts[distinct] = i;
                values[distinct++] = values[i];
            }
        }
        starts[distinct] = order.length;
        if (distinct > 0) {
            slices.add(new Slice(sliceStart, distinct, rows.stratumKey(order[order.length - 1])));
        }
    }

    List<Slice> slices() {
        return slices;
    }

    /** As long as all rows: what is behind the last slice means nothing. */
    long[] values() {
        return values;
    }

    int size() {
        return slices.isEmpty() ? 0 : slices.getLast().to();
    }

    /** How many rows have a value. */
    int rows(int value) {
        return starts[value + 1] - starts[value];
    }

    /** Whether each value has one row, and each document one value. */
    boolean areSingle() {
        return size() == order.length && hasSeveral() == false;
    }

    boolean hasSeveral() {
        return rows.hasSeveral();
    }

    /** How many pairs of rows of different documents two values have. Of documents with several rows, each is looked for. */
    long pairs(int a, int b) {
        long all = (long) rows(a) * rows(b);
        return rows.hasSeveral() ? all - pairsWithin(rows(a) < rows(b) ? a : b, rows(a) < rows(b) ? b : a) : all;
    }

    /** A document's rows follow one another, and the rows of a value are ascending. */
    private long pairsWithin(int fewer, int more) {
        long within = 0;
        for (int i = starts[fewer]; i < starts[fewer + 1]; i++) {
            long address = rows.address(order[i]);
            int first = order[i];
            while (first > 0 && rows.address(first - 1) == address) {
                first--;
            }
            int at = Arrays.binarySearch(order, starts[more], starts[more + 1], first);
            at = at < 0 ? ~at : at;
            while (at < starts[more + 1] && rows.address(order[at]) == address) {
                within++;
                at++;
            }
        }
        return within;
    }

    /** Address of the document of a value's row. */
    long address(int value, int i) {
        return rows.address(order[starts[value] + i]);
    }
}
