/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;

/**
 * Counts features by 64-bit hash. Features lie densely in order of first occurrence, so that voting reads memory in
 * sequence. An open-addressing table, at most a quarter full, finds them. 29 bytes a feature. Not thread-safe.
 */
final class FeatureCounts {

    /** Longer features count as if they had as many. */
    static final int MOST_LETTERS = Byte.MAX_VALUE;

    private static final int FIRST_CAPACITY = 512;
    /** Larger buffers are not kept: clearing them costs more than a short text. */
    private static final int KEPT_CAPACITY = 1 << 12;

    /** Random for each JVM. An attacker who knew it could choose words that collide, and block a thread for minutes. */
    private static final long SPREAD = new SecureRandom().nextLong() | 1;

    private static final int SLOTS_PER_FEATURE = 4;
    private static final int BYTES_PER_FEATURE =
            Long.BYTES + Integer.BYTES + Byte.BYTES + SLOTS_PER_FEATURE * Integer.BYTES;
    /** Smaller buffers are not accounted: the document is as large. */
    private static final int UNACCOUNTED_CAPACITY = 1 << 15;

    private static final int PENDING = 256;
    private static final int REPEATED_AT_ONCE = 256;

    private LongConsumer memory;
    private long[] hashes = new long[FIRST_CAPACITY];
    /** 0 where there is no feature yet. */
    private int[] counts = new int[FIRST_CAPACITY];
    /** Of those features that were measured. */
    private byte[] letters = new byte[FIRST_CAPACITY];
    /** Place of a feature plus one; 0 marks a free slot. */
    private int[] slots = new int[FIRST_CAPACITY * SLOTS_PER_FEATURE];

    private int size;

    private final long[] pending = new long[PENDING];
    private int waiting;

    private final int[] repeated = new int[REPEATED_AT_ONCE];

    /** Counts one occurrence later, in a loop in which look-ups overlap. */
    void add(long hash) {
        pending[waiting++] = hash;
        if (waiting == PENDING) {
            countPending();
        }
    }

    private void countPending() {
        for (int i = 0; i < waiting; i++) {
            isFirst(pending[i]);
        }
        waiting = 0;
    }

    /** Counts one occurrence now. Returns whether it is the first. */
    boolean isFirst(long hash) {
        if (size == hashes.length) {
            grow();
        }
        int mask = slots.length - 1;
        int slot = firstSlot(hash, mask);
        // No branch: whether a feature is new is unpredictable.
        while (true) {
            int place = slots[slot] - 1;
            int isFree = place >>> (Integer.SIZE - 1);
            int feature = place ^ ((place ^ size) & -isFree);
            if (((hashes[feature] ^ hash) & (isFree - 1L)) == 0) {
                hashes[feature] = hash;
                counts[feature]++;
                slots[slot] = feature + 1;
                size += isFree;
                return isFree == 1;
            }
            slot = (slot + 1) & mask;
        }
    }

    /** Counts one occurrence now of a feature of so many letters. */
    void measure(long hash, int length) {
        if (isFirst(hash)) {
            letters[size - 1] = (byte) Math.min(length, MOST_LETTERS);
        }
    }

    int size() {
        countPending();
        return size;
    }

    /** The hashes of the distinct features: the first {@link #size()} of the array. */
    long[] hashes() {
        return hashes;
    }

    int count(int i) {
        return counts[i];
    }

    int letters(int i) {
        return letters[i];
    }

    /** @param scale of the weights, above 0. A small one still leaves a vote */
    void vote(BitVotes votes, Weighting weighting, double scale) {
        countPending();
        if (size == 0) {
            return;
        }
        long once = scaled(weighting.weight(1), scale);
        votes.addAll(hashes, size, once);
        for (int begin = 0; begin < size; begin += REPEATED_AT_ONCE) {
            int end = Math.min(begin + REPEATED_AT_ONCE, size);
            int found = 0;
            for (int i = begin; i < end; i++) {
                // No branch, as above. Most features occur once and need no second vote.
                repeated[found] = i;
                found += (1 - counts[i]) >>> (Integer.SIZE - 1);
            }
            for (int i = 0; i < found; i++) {
                int feature = repeated[i];
                votes.add(hashes[feature], scaled(weighting.weight(counts[feature]), scale) - once);
            }
        }
    }

    static long scaled(long weight, double scale) {
        return Math.max(1, Math.round(weight * scale));
    }

    void accountOn(LongConsumer newMemory) {
        memory = newMemory;
    }

    void clear() {
        if (hashes.length > KEPT_CAPACITY) {
            hashes = new long[FIRST_CAPACITY];
            counts = new int[FIRST_CAPACITY];
            letters = new byte[FIRST_CAPACITY];
            slots = new int[FIRST_CAPACITY * SLOTS_PER_FEATURE];
        } else if (size > 0) {
            Arrays.fill(slots, 0);
            Arrays.fill(counts, 0, size, 0);
        }
        size = 0;
        waiting = 0;
    }

    private void grow() {
        int capacity = Math.multiplyExact(hashes.length, 2);
        if (capacity > UNACCOUNTED_CAPACITY) {
            memory.accept((long) capacity * BYTES_PER_FEATURE);
        }
        hashes = Arrays.copyOf(hashes, capacity);
        counts = Arrays.copyOf(counts, capacity);
        letters = Arrays.copyOf(letters, capacity);
        slots = new int[capacity * SLOTS_PER_FEATURE];
        int mask = slots.length - 1;
        for (int i = 0; i < size; i++) {
            int slot = firstSlot(hashes[i], mask);
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = i + 1;
        }
    }

    /** Spreads the hash: FNV-1a leaves the low bits of short features alike. */
    private static int firstSlot(long hash, int mask) {
        // The highest bits depend on all bits of the hash.
        return (int) ((hash * SPREAD) >>> Long.numberOfLeadingZeros(mask));
    }
}
