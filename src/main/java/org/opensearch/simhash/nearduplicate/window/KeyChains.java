/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.Arrays;

/**
 * For each of 65,536 keys the entries of a ring that have it, newest first: a linked list over arrays. Entries have ascending
 * numbers; the slot of a number is its low bits. An entry that leaves the ring is not unlinked: whoever follows a chain stops
 * at the first number that is too old, for all that come after it are older still. One thread at a time.
 */
final class KeyChains {

    static final int KEYS = 1 << 16;

    /** Bytes that do not depend on the number of entries. */
    static final long FIXED_BYTES = (long) KEYS * (Long.BYTES + Integer.BYTES);

    private static final long NOTHING = -1;

    private final long[] newest = new long[KEYS];
    private final int[] counts = new int[KEYS];
    /** By slot: how many numbers further back the next entry with the same key is; 0 for the last of a chain. */
    private int[] steps;

    private KeyChains(int capacity) {
        steps = new int[capacity];
        Arrays.fill(newest, NOTHING);
    }

    /**
     * Room for another number of entries; those from {@code first} to before {@code next} stay.
     *
     * @param chains null when there are none yet
     */
    static KeyChains resized(KeyChains chains, int capacity, long first, long next) {
        if (chains == null) {
            return new KeyChains(capacity);
        }
        chains.steps = Rings.resized(chains.steps, capacity, first, next);
        return chains;
    }

    void add(long number, int key) {
        long older = newest[key];
        long step = older == NOTHING ? 0 : number - older;
        steps[slot(number)] = step >= steps.length ? 0 : (int) step;
        newest[key] = number;
        counts[key]++;
    }

    /** An entry leaves the ring. */
    void forget(int key) {
        counts[key]--;
    }

    /** The newest entry with a key, or a number that is too old. */
    long newest(int key) {
        return newest[key];
    }

    /** The next older entry with the same key, or a number that is too old. */
    long older(long number) {
        int step = steps[slot(number)];
        return step == 0 ? NOTHING : number - step;
    }

    /** Number of entries with a key. */
    int count(int key) {
        return counts[key];
    }

    private int slot(long number) {
        return Rings.slot(number, steps.length);
    }
}
