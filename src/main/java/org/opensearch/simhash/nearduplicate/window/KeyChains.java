/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * For each of 65,536 keys the entries of a ring that have it, newest first: a linked list over arrays. Entries have ascending
 * numbers; the slot of a number is its low bits. An entry that leaves the ring is not unlinked: whoever follows a chain stops
 * at the first number that is too old, for all that come after it are older still. One that is gone before that is unlinked by
 * who meets it first: a chain is no longer to follow than what is left of it, however much has been through it. One thread at a
 * time.
 */
final class KeyChains {

    static final int KEYS = 1 << 16;

    /** Bytes that do not depend on the number of entries. */
    static final long FIXED_BYTES = (long) KEYS * (Long.BYTES + Integer.BYTES);

    private static final long NOTHING = -1;

    private final long[] newest = new long[KEYS];
    private final int[] counts = new int[KEYS];
    private final LongPredicate isGone;
    /** By slot: how many numbers further back the next entry with the same key is; 0 for the last of a chain. */
    private int[] steps;

    private KeyChains(int capacity, LongPredicate isGone) {
        this.steps = new int[capacity];
        this.isGone = isGone;
        Arrays.fill(newest, NOTHING);
    }

    /**
     * Room for another number of entries; those from {@code first} to before {@code next} stay.
     *
     * @param chains null when there are none yet
     * @param isGone whether an entry has become of no use while it is in the ring, for good; false of those that left it
     */
    static KeyChains resized(KeyChains chains, int capacity, long first, long next, LongPredicate isGone) {
        if (chains == null) {
            return new KeyChains(capacity, isGone);
        }
        chains.steps = Rings.resized(chains.steps, capacity, first, next);
        return chains;
    }

    void add(long number, int key) {
        link(number, newest[key]);
        newest[key] = number;
        counts[key]++;
    }

    private void link(long number, long older) {
        long step = older == NOTHING ? 0 : number - older;
        steps[slot(number)] = step >= steps.length ? 0 : (int) step;
    }

    /** An entry leaves the ring, or is gone: told once of each. */
    void forget(int key) {
        counts[key]--;
    }

    /** The newest entry with a key, or a number that is too old. */
    long newest(int key) {
        newest[key] = left(newest[key]);
        return newest[key];
    }

    /** The next older entry with the same key, or a number that is too old. */
    long older(long number) {
        long older = next(number);
        long left = left(older);
        if (left != older) {
            link(number, left);
        }
        return left;
    }

    private long next(long number) {
        int step = steps[slot(number)];
        return step == 0 ? NOTHING : number - step;
    }

    /** The first of a chain, from this one on, that is not gone. */
    private long left(long number) {
        long left = number;
        while (isGone.test(left)) {
            left = next(left);
        }
        return left;
    }

    /** Number of entries with a key, without those that are gone. */
    int count(int key) {
        return counts[key];
    }

    private int slot(long number) {
        return Rings.slot(number, steps.length);
    }
}
