/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.memory;

import java.security.SecureRandom;
import java.util.function.LongConsumer;

/**
 * A set of well-mixed hashes: open addressing, linear probing, at most half full. Zero marks a free slot, so hash 0 is
 * stored as 1. A refusal of memory leaves it as it is. Not thread-safe while it grows.
 */
public final class LongSet {

    /** Random for each JVM, so that nobody can choose words that collide. */
    private static final long SPREAD = new SecureRandom().nextLong() | 1;

    private final LongConsumer memory;
    private long[] table = new long[16];
    private int size;

    public LongSet(LongConsumer memory) {
        this.memory = memory;
    }

    public int size() {
        return size;
    }

    /** Upper bound of slot numbers. */
    public int slots() {
        return table.length;
    }

    public long bytes() {
        return (long) Long.BYTES * table.length;
    }

    /** Slot of a hash, or -1. Valid until the next {@link #add}. */
    public int slot(long hash) {
        int slot = find(hash == 0 ? 1 : hash);
        return table[slot] == 0 ? -1 : slot;
    }

    public boolean add(long hash) {
        long key = hash == 0 ? 1 : hash;
        int slot = find(key);
        if (table[slot] != 0) {
            return false;
        }
        // First: in a set that is full, because it could not grow, a look-up would not end.
        if (2 * (size + 1) > table.length) {
            grow();
            slot = find(key);
        }
        table[slot] = key;
        size++;
        return true;
    }

    private int find(long key) {
        int mask = table.length - 1;
        // The highest bits depend on all bits of the hash.
        int slot = (int) ((key * SPREAD) >>> Long.numberOfLeadingZeros(mask));
        while (table[slot] != 0 && table[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] old = table;
        memory.accept(2 * bytes());
        table = new long[2 * old.length];
        for (long key : old) {
            if (key != 0) {
                table[find(key)] = key;
            }
        }
        memory.accept((long) -Long.BYTES * old.length);
    }
}
