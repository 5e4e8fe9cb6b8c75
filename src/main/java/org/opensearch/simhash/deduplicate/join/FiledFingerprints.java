/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;

/**
 * Fingerprints in files, one row each, equal ones next to each other. The number of a value is its first row. Takes one
 * bit of heap per row.
 */
final class FiledFingerprints implements Fingerprints {

    private static final int BUFFER = 1 << 13;

    private final int size;
    private final List<Slice> slices;
    private final ScratchFile values;
    private final ScratchFile addresses;

    /** Rows whose value differs from the row before. */
    private final FixedBitSet firsts;

    private final boolean hasSeveral;
    private final boolean areSingle;

    private final long[] buffer = new long[BUFFER];
    private int bufferStart;
    private int bufferEnd;

    /**
     * @param values of all rows, already written
     * @param addresses of all rows, already written
     */
    FiledFingerprints(
            int size,
            List<Slice> slices,
            ScratchFile values,
            ScratchFile addresses,
            FixedBitSet firsts,
            boolean hasSeveral) {
        this.size = size;
        this.slices = slices;
        this.values = values;
        this.addresses = addresses;
        this.firsts = firsts;
        this.hasSeveral = hasSeveral;
        this.areSingle = hasSeveral == false && firsts.cardinality() == size;
    }

    @Override
    public List<Slice> slices() {
        return slices;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int next(int number) {
        int next = number < size ? firsts.nextSetBit(number) : size;
        return next == DocIdSetIterator.NO_MORE_DOCS ? size : next;
    }

    @Override
    public long value(int number) {
        long[] value = new long[1];
        values.read((long) number * Long.BYTES, value, 0, 1);
        return value[0];
    }

    @Override
    public int read(int from, int to, long[] toValues, int[] numbers) {
        values.read((long) from * Long.BYTES, toValues, 0, to - from);
        int count = 0;
        for (int i = from; i < to; i++) {
            if (firsts.get(i)) {
                toValues[count] = toValues[i - from];
                numbers[count++] = i;
            }
        }
        return count;
    }

    @Override
    public int rows(int number) {
        return next(number + 1) - number;
    }

    @Override
    public boolean areSingle() {
        return areSingle;
    }

    @Override
    public boolean hasSeveral() {
        return hasSeveral;
    }

    @Override
    public long pairs(int a, int b) {
        long all = (long) rows(a) * rows(b);
        return hasSeveral ? all - equal(sortedAddresses(a), sortedAddresses(b)) : all;
    }

    private long[] sortedAddresses(int number) {
        long[] found = new long[rows(number)];
        addresses.read((long) number * Long.BYTES, found, 0, found.length);
        Arrays.sort(found);
        return found;
    }

    /** Number of equal pairs of two sorted arrays. */
    private static long equal(long[] a, long[] b) {
        long pairs = 0;
        for (int i = 0, first = 0; i < a.length; i++) {
            while (first < b.length && b[first] < a[i]) {
                first++;
            }
            for (int j = first; j < b.length && b[j] == a[i]; j++) {
                pairs++;
            }
        }
        return pairs;
    }

    @Override
    public long[] addresses(int number) {
        long[] found = new long[rows(number)];
        if (found.length > BUFFER) {
            addresses.read((long) number * Long.BYTES, found, 0, found.length);
            return found;
        }
        if (number < bufferStart || number + found.length > bufferEnd) {
            bufferStart = number;
            bufferEnd = Math.min(size, number + BUFFER);
            addresses.read((long) number * Long.BYTES, buffer, 0, bufferEnd - bufferStart);
        }
        System.arraycopy(buffer, number - bufferStart, found, 0, found.length);
        return found;
    }
}
