/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.simhash.core.join.Fingerprints.DistinctFingerprints;
import org.opensearch.simhash.core.join.NearJoin.JoinRows;
import org.opensearch.simhash.core.memory.Account;

/**
 * Fingerprints from the shards in columns: one row of 28 bytes each. A document with several fingerprints has several
 * consecutive rows. A document too short for a fingerprint has a row without bits. Not thread-safe.
 */
public class FingerprintRows implements JoinRows {

    /** Bytes per row, here and in the join that follows with two threads. */
    public static final int JOIN_BYTES = 64;

    /** The guard, and the entry of the scan. */
    private static final int STRATUM_BYTES = 200;

    private static final int ROW_BYTES = 3 * Long.BYTES + Integer.BYTES;

    private final Account account;
    private int count;
    private int capacity;

    private long[] bits;
    private long[] digests;
    private long[] addresses;

    /** Complemented for rows without bits. */
    private int[] strata;

    private int withBits;

    /** By stratum. */
    private int[] guards = new int[0];

    private long[] stratumKeys = new long[0];

    private boolean hasSeveral;

    /** @param capacity first number of rows; it grows */
    public FingerprintRows(int capacity, LongConsumer memory) {
        this.account = new Account(memory);
        account.take((long) capacity * ROW_BYTES);
        this.capacity = capacity;
        this.bits = new long[capacity];
        this.digests = new long[capacity];
        this.addresses = new long[capacity];
        this.strata = new int[capacity];
    }

    @Override
    public void stratum(int stratum, int guard, long key) {
        account.take(STRATUM_BYTES);
        guards = ArrayUtil.grow(guards, stratum + 1);
        guards[stratum] = guard;
        stratumKeys = ArrayUtil.grow(stratumKeys, stratum + 1);
        stratumKeys[stratum] = key;
    }

    @Override
    public void add(long address, long fingerprint, long digest, int stratum) {
        append(address, fingerprint, digest, stratum);
        withBits++;
    }

    @Override
    public void addWithoutBits(long address, long digest, int stratum) {
        append(address, 0, digest, ~stratum);
    }

    private void append(long address, long fingerprint, long digest, int stratum) {
        if (count == capacity) {
            grow();
        }
        hasSeveral |= count > 0 && addresses[count - 1] == address;
        bits[count] = fingerprint;
        digests[count] = digest;
        addresses[count] = address;
        strata[count++] = stratum;
    }

    public int size() {
        return count;
    }

    int withBits() {
        return withBits;
    }

    boolean hasBits(int row) {
        return strata[row] >= 0;
    }

    int stratum(int row) {
        return Math.max(strata[row], ~strata[row]);
    }

    /** Equal digests are duplicates only with equal guards. A stratum without guard has its own. */
    int guard(int row) {
        int stratum = stratum(row);
        return stratum < guards.length ? guards[stratum] : ~stratum;
    }

    /** The key of a row's stratum, equal in all passes and on all nodes; its number if it has no key. */
    long stratumKey(int row) {
        int stratum = stratum(row);
        return stratum < stratumKeys.length ? stratumKeys[stratum] : stratum;
    }

    /** Tells whether documents have several rows, for rows that are a part of others. */
    void markSeveral(boolean several) {
        hasSeveral = several;
    }

    /** Whether a document has several rows. */
    boolean hasSeveral() {
        return hasSeveral;
    }

    long bits(int row) {
        return bits[row];
    }

    long digest(int row) {
        return digests[row];
    }

    /** Whether two rows with bits have the same fingerprint of the same scheme. */
    boolean isEqual(int a, int b) {
        return bits[a] == bits[b] && strata[a] == strata[b];
    }

    /** The value that selects the row's chunk. */
    long key(int row) {
        return hasBits(row) ? bits[row] : digests[row];
    }

    long address(int row) {
        return addresses[row];
    }

    @Override
    public Account account() {
        return account;
    }

    /** Frees the other columns. */
    void keepAddresses() {
        bits = null;
        digests = null;
        strata = null;
        account.give((long) capacity * (ROW_BYTES - Long.BYTES));
    }

    @Override
    public long equalTexts(Chunks chunks, Cliques.Builder cliques, LongConsumer progress) {
        return EqualDigests.find(this, chunks, cliques);
    }

    @Override
    public final Fingerprints fingerprints(LongConsumer progress) {
        DistinctFingerprints distinct = distinct();
        keepAddresses();
        return distinct;
    }

    /** Called once. */
    DistinctFingerprints distinct() {
        return new DistinctFingerprints(this);
    }

    @Override
    public Bins bins(int[] starts) {
        return new Bins.OnHeap(starts, account);
    }

    @Override
    public void close() {
        account.close();
    }

    private void grow() {
        int larger = Math.max(1_024, count + count / 4);
        account.take((long) (larger - capacity) * ROW_BYTES);
        capacity = larger;
        bits = Arrays.copyOf(bits, larger);
        digests = Arrays.copyOf(digests, larger);
        addresses = Arrays.copyOf(addresses, larger);
        strata = Arrays.copyOf(strata, larger);
    }

    /**
     * Finds documents with equal digests that a join of fingerprints misses: those too short for a fingerprint, and those
     * whose fingerprints differ or have different schemes. Digests do not depend on the scheme.
     */
    private static final class EqualDigests {

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
}
