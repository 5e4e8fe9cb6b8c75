/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;

/**
 * Documents of equal texts, by their digests: those too short for a fingerprint, and whatever else has equal digests without
 * having equal fingerprints, which would make it near anyway. Sorting takes 24 bytes per row for a moment.
 */
final class EqualDigests {

    /** Bytes per row while sorting. */
    private static final int BYTES = 2 * (Long.BYTES + Integer.BYTES);

    private EqualDigests() {}

    /** Adds a clique for each set of two rows or more. */
    static void find(FingerprintRows rows, Chunks chunks, Cliques.Builder cliques) {
        int count = rows.size();
        rows.account().take((long) count * BYTES);
        long[] keys = new long[count];
        int[] order = new int[count];
        for (int row = 0; row < count; row++) {
            keys[row] = rows.digest(row);
            order[row] = row;
        }
        RadixSort.sort(keys, order, count);
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || keys[i] != keys[start]) {
                if (i - start > 1 && keys[start] != 0) {
                    splitByStratum(rows, order, start, i, chunks, cliques);
                }
                start = i;
            }
        }
        rows.account().give((long) count * BYTES);
    }

    private static void splitByStratum(
            FingerprintRows rows, int[] order, int from, int to, Chunks chunks, Cliques.Builder cliques) {
        long[] byStratum = new long[to - from];
        for (int i = from; i < to; i++) {
            byStratum[i - from] = (long) rows.stratum(order[i]) << Integer.SIZE | order[i];
        }
        Arrays.sort(byStratum);
        int start = 0;
        for (int i = 1; i <= byStratum.length; i++) {
            if (i == byStratum.length || byStratum[i] >>> Integer.SIZE != byStratum[start] >>> Integer.SIZE) {
                addUnlessEqual(rows, byStratum, start, i, chunks, cliques);
                start = i;
            }
        }
    }

    private static void addUnlessEqual(
            FingerprintRows rows, long[] members, int from, int to, Chunks chunks, Cliques.Builder cliques) {
        boolean equal = true;
        boolean owned = false;
        for (int i = from; i < to; i++) {
            int row = (int) members[i];
            equal &= rows.hasBits(row) && rows.bits(row) == rows.bits((int) members[from]);
            owned |= chunks.owns(rows.key((int) members[from]), rows.key(row));
        }
        if (equal || owned == false || to - from < 2) {
            return;
        }
        long[] addresses = new long[to - from];
        for (int i = from; i < to; i++) {
            addresses[i - from] = rows.address((int) members[i]);
        }
        cliques.addEqualTexts(addresses);
    }
}
