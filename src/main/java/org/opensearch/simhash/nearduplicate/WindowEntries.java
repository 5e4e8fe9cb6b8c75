/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.lang.reflect.Array;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.nearduplicate.ArrivalWindow.State;

/**
 * The entries of an {@link ArrivalWindow}: a ring of arrays that doubles when it is full and halves when it is nearly empty,
 * and for each segment of the fingerprint, the digest and the id the entries that share a value. One thread at a time.
 */
final class WindowEntries {

    /** Four segments of 16 bits. */
    static final SegmentLayout LAYOUT = new SegmentLayout(4);

    private static final int DIGESTS = 4;
    private static final int IDS = DIGESTS + 1;
    private static final int CHAINS = IDS + 1;
    private static final int FIRST_CAPACITY = 1 << 10;
    private static final int MOST_CAPACITY = 1 << 26;

    /** Of the arrays, by entry: bits, digest, time; chains; five references, two flags. */
    private static final long ENTRY_BYTES = 4 * Long.BYTES + (CHAINS + 5) * Integer.BYTES + 2;

    private final KeyChains[] chains = new KeyChains[CHAINS];
    private long[] bits = {};
    private long[] digestHigh = {};
    private long[] digestLow = {};
    private long[] times = {};
    private boolean[] hasBits = {};
    private boolean[] hasDigest = {};
    private State[] states = {};
    private String[] schemes = {};
    private DocumentName[] names = {};
    private DocumentName[] originals = {};
    private String[] aliases = {};
    private long first;
    private long next;
    private long nameBytes;

    WindowEntries(long next) {
        this.first = next;
        this.next = next;
    }

    int size() {
        return (int) (next - first);
    }

    int capacity() {
        return states.length;
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
        return bytes(capacity());
    }

    long bytesWhenGrown() {
        return bytes(Math.max(FIRST_CAPACITY, 2 * capacity()));
    }

    private long bytes(int capacity) {
        return capacity == 0 ? 0 : CHAINS * KeyChains.FIXED_BYTES + capacity * ENTRY_BYTES + nameBytes;
    }

    void grow() {
        if (capacity() < MOST_CAPACITY) {
            resize(Math.max(FIRST_CAPACITY, 2 * capacity()));
        }
    }

    /** Halves the arrays when three quarters of them are empty, so that they do not have to grow again at once. */
    void shrink() {
        if (capacity() > FIRST_CAPACITY && size() < capacity() / 4) {
            resize(capacity() / 2);
        }
    }

    private void resize(int capacity) {
        for (int i = 0; i < CHAINS; i++) {
            if (chains[i] == null) {
                chains[i] = new KeyChains(capacity);
            } else {
                chains[i].resize(capacity, first, next);
            }
        }
        bits = resized(bits, capacity, first, next);
        digestHigh = resized(digestHigh, capacity, first, next);
        digestLow = resized(digestLow, capacity, first, next);
        times = resized(times, capacity, first, next);
        hasBits = resized(hasBits, capacity, first, next);
        hasDigest = resized(hasDigest, capacity, first, next);
        schemes = resized(schemes, capacity, first, next);
        names = resized(names, capacity, first, next);
        originals = resized(originals, capacity, first, next);
        aliases = resized(aliases, capacity, first, next);
        states = resized(states, capacity, first, next);
    }

    /** A ring of another length, with what the first has for the numbers from {@code first} to before {@code next}. */
    @SuppressWarnings("unchecked") // the class is that of the array given
    static <A> A resized(A ring, int length, long first, long next) {
        A result = (A) Array.newInstance(ring.getClass().getComponentType(), length);
        int old = Array.getLength(ring);
        long number = first;
        while (number < next) {
            int from = (int) number & (old - 1);
            int to = (int) number & (length - 1);
            int run = (int) Math.min(next - number, Math.min(old - from, length - to));
            System.arraycopy(ring, from, result, to, run);
            number += run;
        }
        return result;
    }

    void add(Arrival arrival, long now) {
        ArrivedFingerprint fingerprint = arrival.fingerprint();
        long number = next++;
        int slot = slot(number);
        bits[slot] = fingerprint.bits();
        digestHigh[slot] = fingerprint.digestHigh();
        digestLow[slot] = fingerprint.digestLow();
        times[slot] = now;
        hasBits[slot] = fingerprint.hasBits();
        hasDigest[slot] = fingerprint.hasDigest();
        states[slot] = State.UNDECIDED;
        schemes[slot] = fingerprint.target().scheme();
        names[slot] = arrival.name();
        aliases[slot] = arrival.alias();
        nameBytes += arrival.nameBytes();
        for (int i = 0; i < CHAINS; i++) {
            if (isIn(i, slot)) {
                chains[i].add(number, key(i, slot));
            }
        }
    }

    /** A number for a document that there is no room for. */
    void skip() {
        if (size() > 0) {
            int slot = slot(next);
            if (isFull()) {
                forgetOldest();
            }
            states[slot] = State.GONE;
            hasBits[slot] = false;
            hasDigest[slot] = false;
            names[slot] = null;
            times[slot] = times[slot(next - 1)];
            next++;
        } else {
            next++;
            first = next;
        }
    }

    void forgetOldest() {
        int slot = slot(first);
        for (int i = 0; i < CHAINS; i++) {
            if (isIn(i, slot)) {
                chains[i].forget(key(i, slot));
            }
        }
        if (names[slot] != null) {
            nameBytes -= Arrival.bytes(names[slot]);
            names[slot] = null;
        }
        if (originals[slot] != null) {
            nameBytes -= Arrival.bytes(originals[slot]);
            originals[slot] = null;
        }
        first++;
    }

    long oldestTime() {
        return times[slot(first)];
    }

    State state(long number) {
        return number < first || number >= next ? State.GONE : states[slot(number)];
    }

    DocumentName name(long number) {
        return names[slot(number)];
    }

    /** The filtered alias that a document was sent to, or null. */
    String alias(long number) {
        return aliases[slot(number)];
    }

    void keep(long number, DocumentName name) {
        if (state(number) != State.UNDECIDED) {
            return;
        }
        forgetVersions(name, number, State.KEPT);
        forgetVersions(name, number, State.BESIDE);
        int slot = slot(number);
        if (name.index().equals(names[slot].index()) == false) {
            aliases[slot] = null;
        }
        nameBytes += Arrival.bytes(name) - Arrival.bytes(names[slot]);
        names[slot] = name;
        states[slot] = State.KEPT;
    }

    /** To be told once of an entry. */
    void follow(long number, DocumentName original) {
        if (state(number) != State.GONE) {
            originals[slot(number)] = original;
            nameBytes += Arrival.bytes(original);
        }
    }

    /** What was told to {@link #follow}; null when nothing was, or the entry is gone. */
    DocumentName original(long number) {
        return state(number) == State.GONE ? null : originals[slot(number)];
    }

    void keepBeside(long number) {
        if (state(number) == State.UNDECIDED) {
            states[slot(number)] = State.BESIDE;
        }
    }

    private void forgetVersions(DocumentName name, long before, State state) {
        for (long older = newestVersion(name, before, state); older >= 0; older = newestVersion(name, older, state)) {
            states[slot(older)] = State.GONE;
        }
    }

    void drop(long number) {
        if (state(number) != State.GONE) {
            states[slot(number)] = State.GONE;
        }
    }

    /** The newest entry before a number that is a version of a document and in a state; -1 when there is none. */
    long newestVersion(DocumentName name, long before, State state) {
        if (capacity() == 0) {
            return -1;
        }
        KeyChains ids = chains[IDS];
        for (long number = ids.newest(idKey(name)); number >= first; number = ids.older(number)) {
            if (number < before && state(number) == state && name(number).sameDocument(name)) {
                return number;
            }
        }
        return -1;
    }

    /** As {@link ArrivedFingerprint#distance}, of an arrived document to an entry. */
    int distance(long number, Arrival arrival) {
        if (sameDigest(number, arrival)) {
            return 0;
        }
        ArrivedFingerprint fingerprint = arrival.fingerprint();
        int slot = slot(number);
        String scheme = fingerprint.target().scheme();
        return hasBits[slot] && fingerprint.hasBits() && (scheme == null || scheme.equals(schemes[slot]))
                ? Long.bitCount(bits[slot] ^ fingerprint.bits())
                : ArrivedFingerprint.INCOMPARABLE;
    }

    private boolean sameDigest(long number, Arrival arrival) {
        ArrivedFingerprint fingerprint = arrival.fingerprint();
        int slot = slot(number);
        return hasDigest[slot]
                && fingerprint.hasDigest()
                && digestLow[slot] == fingerprint.digestLow()
                && digestHigh[slot] == fingerprint.digestHigh();
    }

    /** Entries by the value of a segment. */
    KeyChains segment(int segment) {
        return chains[segment];
    }

    /** Entries by {@link #digestKey}. */
    KeyChains digests() {
        return chains[DIGESTS];
    }

    static int digestKey(ArrivedFingerprint fingerprint) {
        return (int) fingerprint.digestLow() & (KeyChains.KEYS - 1);
    }

    private static int idKey(DocumentName name) {
        int hash = name.id().hashCode();
        return (hash ^ hash >>> 16) & (KeyChains.KEYS - 1);
    }

    private boolean isIn(int chain, int slot) {
        return switch (chain) {
            case DIGESTS -> hasDigest[slot];
            case IDS -> names[slot] != null;
            default -> hasBits[slot];
        };
    }

    private int key(int chain, int slot) {
        return switch (chain) {
            case DIGESTS -> (int) digestLow[slot] & (KeyChains.KEYS - 1);
            case IDS -> idKey(names[slot]);
            default -> (int) LAYOUT.value(bits[slot], chain);
        };
    }

    private int slot(long number) {
        return (int) number & (states.length - 1);
    }
}
