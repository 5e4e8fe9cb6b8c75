/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * For each key a chain of entries, the newest first: linked lists over the arrays of a ring. An entry's slot is the low bits of its number.
 * An entry that leaves the ring stays linked. A walk stops at the first number that is too old, because the rest is older. An entry that is
 * gone earlier is unlinked by the first walk that meets it, so a walk costs only what is left. One thread at a time.
 */
final class KeyChains {

    /** For what has 16 bits; most keys of all. */
    static final int KEYS = 1 << 16;

    private static final long NOTHING = -1;

    private final long[] newest;
    private final int[] counts;
    private final LongPredicate isGone;
    /** By slot: the difference to the next older number of the key; 0 at the end. */
    private int[] steps;

    /** @param isGone whether an entry in the ring is gone for good; false for those that left it */
    KeyChains(int keys, int capacity, LongPredicate isGone) {
        this.newest = new long[keys];
        this.counts = new int[keys];
        this.steps = new int[capacity];
        this.isGone = isGone;
        Arrays.fill(newest, NOTHING);
    }

    int keys() {
        return newest.length;
    }

    static long bytes(int keys, int capacity) {
        return (long) keys * (Long.BYTES + Integer.BYTES) + (long) capacity * Integer.BYTES;
    }

    /** Changes the capacity. Entries from {@code first} to before {@code next} stay. */
    void resize(int capacity, long first, long next) {
        steps = resized(steps, capacity, first, next);
    }

    void add(long number, int key) {
        link(number, newest[key]);
        newest[key] = number;
        counts[key]++;
    }

    private void link(long number, long older) {
        long step = older == NOTHING ? 0 : number - older;
        steps[slot(number, steps.length)] = step >= steps.length ? 0 : (int) step;
    }

    /** An entry leaves the ring or is gone; called once for each. */
    void forget(int key) {
        counts[key]--;
    }

    /** The newest entry of a key, or a number that is too old. */
    long newest(int key) {
        newest[key] = left(newest[key]);
        return newest[key];
    }

    /** The next older entry of the same key, or a number that is too old. */
    long older(long number) {
        long older = next(number);
        long left = left(older);
        if (left != older) {
            link(number, left);
        }
        return left;
    }

    private long next(long number) {
        int step = steps[slot(number, steps.length)];
        return step == 0 ? NOTHING : number - step;
    }

    /** The first entry of a chain, from this one on, that is not gone. */
    private long left(long number) {
        long left = number;
        while (isGone.test(left)) {
            left = next(left);
        }
        return left;
    }

    /** Entries of a key that are not gone. */
    int count(int key) {
        return counts[key];
    }

    /** A slot of an array indexed by ascending numbers: the low bits of a number. The length is a power of two. */
    static int slot(long number, int length) {
        return (int) number & (length - 1);
    }

    /** A copy of another length, with the values from {@code first} to before {@code next}. */
    @SuppressWarnings("unchecked") // the array keeps its class
    static <A> A resized(A ring, int length, long first, long next) {
        A result = (A) Array.newInstance(ring.getClass().getComponentType(), length);
        int old = Array.getLength(ring);
        long number = first;
        while (number < next) {
            int from = slot(number, old);
            int to = slot(number, length);
            int run = (int) Math.min(next - number, Math.min(old - from, length - to));
            System.arraycopy(ring, from, result, to, run);
            number += run;
        }
        return result;
    }
}
