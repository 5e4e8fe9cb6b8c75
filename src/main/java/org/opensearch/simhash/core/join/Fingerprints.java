/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;
import java.util.List;

/**
 * Distinct fingerprints per stratum, and the documents that have them. A value has a number. A stratum has consecutive numbers. Thread-safe.
 *
 * @param values distinct within a stratum
 * @param starts the first row of each value, then the number of rows
 * @param size the greatest number + 1
 */
record Fingerprints(FingerprintRows rows, List<Slice> slices, Column values, Column starts, Column owners, int size)
        implements Values {

    long value(int number) {
        return values.get(number);
    }

    @Override
    public void read(int from, int count, long[] to) {
        values.get(from, to, 0, count);
    }

    private int start(int number) {
        return (int) starts.get(number);
    }

    int rows(int number) {
        return start(number + 1) - start(number);
    }

    /** Where the words of a value begin. */
    int words(int number) {
        return (int) owners.get(start(number)) + 1;
    }

    /** Whether each value has one row and each document one value. */
    boolean areSingle() {
        return rows.hasSeveral() == false && size == start(size);
    }

    /** Rows of a value whose documents are of the other side: its last ones, because {@link PartSort} keeps their order. */
    int others(int number) {
        int end = start(number + 1);
        int first = rows.hasSides() ? start(number) : end;
        for (int last = end; first < last; ) {
            int middle = (first + last) >>> 1;
            boolean isOther = rows.place(owners.get(middle)) < 0;
            first = isOther ? first : middle + 1;
            last = isOther ? middle : last;
        }
        return end - first;
    }

    /** Pairs of documents with one value that are wanted. */
    long equalPairs(int number, long documents) {
        long others = others(number);
        return rows.hasSides() ? (rows(number) - others) * others : documents * (documents - 1) / 2;
    }

    /** Pairs of rows of different documents. Compares the addresses if documents have several rows. */
    long pairs(int a, int b) {
        long all = (long) rows(a) * rows(b);
        if (rows.hasSides()) {
            long ofA = others(a);
            long ofB = others(b);
            return all - ofA * ofB - (rows(a) - ofA) * (rows(b) - ofB);
        }
        return rows.hasSeveral() ? all - equal(sortedAddresses(a), sortedAddresses(b)) : all;
    }

    private long[] sortedAddresses(int number) {
        long[] found = addresses(number);
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

    long[] addresses(int number) {
        long[] addresses = new long[rows(number)];
        owners.get(start(number), addresses, 0, addresses.length);
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = rows.place(addresses[i]) & Long.MAX_VALUE;
        }
        return addresses;
    }
}
