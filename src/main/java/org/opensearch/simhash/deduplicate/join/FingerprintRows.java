/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.simhash.memory.Account;

/**
 * Fingerprints from the shards in columns: one row of 28 bytes each. A document with several fingerprints has several
 * consecutive rows. A document too short for a fingerprint has a row without bits. Not thread-safe.
 */
public final class FingerprintRows implements JoinRows {

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

    private void keepAddresses() {
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
    public Fingerprints fingerprints(LongConsumer progress) {
        DistinctFingerprints distinct = new DistinctFingerprints(this);
        keepAddresses();
        return distinct;
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
}
