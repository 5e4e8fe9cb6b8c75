/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import com.dynatrace.hash4j.hashing.Hasher64;
import java.util.function.Consumer;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.core.fingerprint.Fingerprint;

/**
 * The entries of an {@link ArrivalWindow} in a ring, with their {@link PrintChains} and chains by id. The ring doubles when
 * it is full and halves when it is nearly empty. One thread at a time.
 */
final class WindowEntries {

    private static final int FIRST_CAPACITY = 1 << 10;

    /** With a secret key: clients choose ids, and could put many into one chain. */
    private final Hasher64 idHash;

    private final PrintChains prints = new PrintChains(this::isGone);

    private KeyChains ids;
    private WindowEntry[] ring = {};
    /** By slot, as {@link WindowEntry#isGone}: a walk along chains reads no entry that it leaves out. */
    private boolean[] gone = {};
    /** By slot, for the same reason: the fingerprint of 64 bits; 0 if there is none. */
    private long[] bits = {};

    private long first;
    private long next;
    private long entryBytes;

    /** @param idHash with a secret key */
    WindowEntries(long next, Hasher64 idHash) {
        this.first = next;
        this.next = next;
        this.idHash = idHash;
    }

    int size() {
        return (int) (next - first);
    }

    int capacity() {
        return ring.length;
    }

    boolean isFull() {
        return size() == capacity();
    }

    long first() {
        return first;
    }

    long next() {
        return next;
    }

    long bytes() {
        return entryBytes + bytes(capacity());
    }

    /** Bytes once a document has entered. */
    long bytesWith(Arrival arrival) {
        return bytesWith(arrival, capacity());
    }

    long bytesWhenGrown(Arrival arrival) {
        return bytesWith(arrival, grown());
    }

    private long bytes(int capacity) {
        return capacity == 0
                ? 0
                : (long) capacity * (RamUsageEstimator.NUM_BYTES_OBJECT_REF + 1 + Long.BYTES)
                        + KeyChains.bytes(KeyChains.KEYS, capacity)
                        + prints.bytes(capacity);
    }

    private long bytesWith(Arrival arrival, int capacity) {
        return entryBytes + WindowEntry.bytes(arrival) + bytes(capacity) + prints.bytesOf(arrival.print(), capacity);
    }

    private int grown() {
        return Math.max(FIRST_CAPACITY, 2 * capacity());
    }

    void grow() {
        resize(grown());
    }

    /** Halves the ring when three quarters are empty. Any earlier, it would soon grow again. */
    void shrink() {
        if (capacity() > FIRST_CAPACITY && size() < capacity() / 4) {
            resize(capacity() / 2);
        }
    }

    private void resize(int capacity) {
        if (ids == null) {
            ids = new KeyChains(KeyChains.KEYS, capacity, this::isGone);
        }
        ids.resize(capacity, first, next);
        ring = KeyChains.resized(ring, capacity, first, next);
        gone = KeyChains.resized(gone, capacity, first, next);
        bits = KeyChains.resized(bits, capacity, first, next);
        prints.resize(capacity, this);
    }

    WindowEntry add(Arrival arrival, long now) {
        WindowEntry entry = new WindowEntry(next++, now, arrival);
        put(entry);
        ids.add(entry.number, idKey(entry.name.id()));
        prints.add(entry);
        return entry;
    }

    private void put(WindowEntry entry) {
        int slot = slot(entry.number);
        ring[slot] = entry;
        gone[slot] = entry.isGone();
        bits[slot] = entry.print instanceof ArrivedFingerprint fingerprint ? fingerprint.bits() : 0;
        entryBytes += entry.bytes();
    }

    /** Uses up a number, for a document without room. */
    void skip(long order) {
        if (size() > 0) {
            if (isFull()) {
                forgetOldest();
            }
            put(new WindowEntry(next, in(next - 1).time, order));
            next++;
        } else {
            next++;
            first = next;
        }
    }

    void forgetOldest() {
        WindowEntry oldest = in(first);
        drop(oldest);
        entryBytes -= oldest.bytes();
        ring[slot(first)] = null;
        first++;
    }

    long oldestTime() {
        return in(first).time;
    }

    /** The first entry with at least this order; the next number if none. */
    long firstFrom(long order) {
        long low = first;
        long high = next;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (in(middle).order < order) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Null if the entry is gone. */
    WindowEntry get(long number) {
        return number < first || number >= next || gone[slot(number)] ? null : in(number);
    }

    /** False if an entry of the ring is gone, or its bits are farther. If it has none, only equal digests can make it near. */
    boolean mayBeWithin(int distance, long wanted, long number) {
        int slot = slot(number);
        return gone[slot] == false && Fingerprint.distance(bits[slot], wanted) <= distance;
    }

    /** Those that are not gone, in order of arrival. */
    void forEach(Consumer<WindowEntry> action) {
        for (long number = first; number < next; number++) {
            if (in(number).isGone() == false) {
                action.accept(in(number));
            }
        }
    }

    /** What can make an entry larger or smaller. Nothing if it is gone. */
    void change(WindowEntry entry, Consumer<WindowEntry> change) {
        if (entry.isGone() == false) {
            entryBytes -= entry.bytes();
            change.accept(entry);
            entryBytes += entry.bytes();
        }
    }

    void drop(WindowEntry entry) {
        if (entry.isGone() == false) {
            prints.forget(entry);
            ids.forget(idKey(entry.name.id()));
            change(entry, WindowEntry::release);
            gone[slot(entry.number)] = true;
        }
    }

    private boolean isGone(long number) {
        return number >= first && gone[slot(number)];
    }

    /** The newest entry that may have this id; null if none. */
    WindowEntry newest(String id) {
        return capacity() == 0 ? null : inRing(ids.newest(idKey(id)));
    }

    /** The next older entry that may have the same id; null if none. */
    WindowEntry older(WindowEntry entry) {
        return inRing(ids.older(entry.number));
    }

    private WindowEntry inRing(long number) {
        return number < first ? null : in(number);
    }

    PrintChains prints() {
        return prints;
    }

    private int idKey(String id) {
        return (int) idHash.hashCharsToLong(id) & (KeyChains.KEYS - 1);
    }

    private WindowEntry in(long number) {
        return ring[slot(number)];
    }

    private int slot(long number) {
        return KeyChains.slot(number, ring.length);
    }
}
