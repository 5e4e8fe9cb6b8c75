/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;

/**
 * Fingerprints, each once per stratum, ascending within it, and the rows that have it. Sorting takes 24 bytes per row for a moment;
 * 16 bytes stay, and the addresses of the rows.
 */
final class DistinctFingerprints {

    /** The fingerprints of one stratum, {@code [from, to)}. */
    record Slice(int from, int to) {
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
                slices.add(new Slice(sliceStart, distinct));
                sliceStart = distinct;
            }
            if (i == 0 || newStratum || values[i] != values[distinct - 1]) {
                starts[distinct] = i;
                values[distinct++] = values[i];
            }
        }
        starts[distinct] = order.length;
        if (distinct > 0) {
            slices.add(new Slice(sliceStart, distinct));
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

    /** Address of the document of a value's row. */
    long address(int value, int i) {
        return rows.address(order[starts[value] + i]);
    }
}
