/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;

/**
 * Finds documents with equal digests that a join of fingerprints misses: those too short for a fingerprint, and those
 * whose fingerprints differ or have different schemes. Digests do not depend on the scheme.
 */
final class EqualDigests {

    /** Bytes per row while sorting. */
    private static final int BYTES = 2 * (Long.BYTES + Integer.BYTES);

    private EqualDigests() {}

    /**
     * Adds a clique for each set of two or more rows. Returns the number of pairs of documents that this pass owns,
     * also of near fingerprints.
     */
    static long find(FingerprintRows rows, Chunks chunks, Cliques.Builder cliques) {
        int count = rows.size();
        rows.account().take((long) count * BYTES);
        long[] keys = new long[count];
        int[] order = new int[count];
        for (int row = 0; row < count; row++) {
            keys[row] = rows.digest(row);
            order[row] = row;
        }
        RadixSort.sort(keys, order, count);
        long pairs = 0;
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || keys[i] != keys[start]) {
                if (i - start > 1 && keys[start] != 0) {
                    pairs += splitByGuard(rows, order, start, i, chunks, cliques);
                }
                start = i;
            }
        }
        rows.account().give((long) count * BYTES);
        return pairs;
    }

    private static long splitByGuard(
            FingerprintRows rows, int[] order, int from, int to, Chunks chunks, Cliques.Builder cliques) {
        long[] byGuard = new long[to - from];
        for (int i = from; i < to; i++) {
            byGuard[i - from] = (long) rows.guard(order[i]) << Integer.SIZE | order[i];
        }
        Arrays.sort(byGuard);
        long pairs = 0;
        int start = 0;
        for (int i = 1; i <= byGuard.length; i++) {
            if (i == byGuard.length || byGuard[i] >>> Integer.SIZE != byGuard[start] >>> Integer.SIZE) {
                pairs += addUnlessEqual(rows, byGuard, start, i, chunks, cliques);
                start = i;
            }
        }
        return pairs;
    }

    private static long addUnlessEqual(
            FingerprintRows rows, long[] members, int from, int to, Chunks chunks, Cliques.Builder cliques) {
        boolean equal = true;
        boolean owned = false;
        for (int i = from; i < to; i++) {
            int row = (int) members[i];
            equal &= rows.hasBits(row) && rows.isEqual(row, (int) members[from]);
            owned |= chunks.owns(rows.key((int) members[from]), rows.key(row));
        }
        if (equal || owned == false || to - from < 2) {
            return 0;
        }
        long[] addresses = new long[to - from];
        for (int i = from; i < to; i++) {
            addresses[i - from] = rows.address((int) members[i]);
        }
        long[] documents = rows.hasSeveral() ? Cliques.distinct(addresses) : addresses;
        if (documents.length > 1) {
            cliques.addEqualTexts(documents);
        }
        return documents.length < to - from ? pairs(documents.length) : ownedPairs(rows, members, from, to, chunks);
    }

    /**
     * The owned pairs of members in two chunks, without those of equal fingerprints, which the join counts. Every pass
     * with one of the two chunks sees all members.
     */
    private static long ownedPairs(FingerprintRows rows, long[] members, int from, int to, Chunks chunks) {
        long first = rows.key((int) members[from]);
        long other = first;
        long elsewhere = 0;
        for (int i = from; i < to; i++) {
            long key = rows.key((int) members[i]);
            if (chunks.of(key) != chunks.of(first)) {
                other = key;
                elsewhere++;
            }
        }
        long within = (to - from) - elsewhere;
        return (chunks.owns(first, first) ? pairs(within) : 0)
                + (chunks.owns(other, other) ? pairs(elsewhere) : 0)
                + within * elsewhere
                - equalPairs(rows, members, from, to, chunks);
    }

    /** Owned pairs with equal fingerprints of one scheme. Takes as much memory as sorting them. */
    private static long equalPairs(FingerprintRows rows, long[] members, int from, int to, Chunks chunks) {
        rows.account().take((long) (to - from) * BYTES);
        long[] bits = new long[to - from];
        int[] strata = new int[to - from];
        int count = 0;
        for (int i = from; i < to; i++) {
            int row = (int) members[i];
            if (rows.hasBits(row) && chunks.owns(rows.key(row), rows.key(row))) {
                bits[count] = rows.bits(row);
                strata[count++] = rows.stratum(row);
            }
        }
        RadixSort.sort(bits, strata, count);
        long pairs = 0;
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || bits[i] != bits[start]) {
                Arrays.sort(strata, start, i);
                pairs += runs(strata, start, i);
                start = i;
            }
        }
        rows.account().give((long) (to - from) * BYTES);
        return pairs;
    }

    private static long runs(int[] sorted, int from, int to) {
        long pairs = 0;
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || sorted[i] != sorted[start]) {
                pairs += pairs(i - start);
                start = i;
            }
        }
        return pairs;
    }

    private static long pairs(long documents) {
        return documents * (documents - 1) / 2;
    }
}
