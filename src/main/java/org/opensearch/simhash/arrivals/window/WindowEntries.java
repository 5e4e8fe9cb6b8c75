/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import com.dynatrace.hash4j.hashing.Hasher64;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.scope.DocumentName;

/**
 * The entries of an {@link ArrivalWindow}, in a ring of arrays, with their {@link WindowFingerprints} and chains by id.
 * The ring doubles when it is full and halves when it is nearly empty. One thread at a time.
 */
final class WindowEntries {

    private static final int FIRST_CAPACITY = 1 << 10;

    private static final long FIXED_BYTES = WindowFingerprints.FIXED_BYTES + KeyChains.FIXED_BYTES;

    /**
     * The fingerprint; a time, two orders and the stored version; a chain and six references; the answer, which a bulk
     * shares.
     */
    private static final long ENTRY_BYTES =
            WindowFingerprints.ENTRY_BYTES + 5 * Long.BYTES + (1 + 6) * Integer.BYTES + BulkAnswer.BYTES;

    /** With a secret key: clients choose ids, and could put many into one chain. */
    private final Hasher64 idHash;

    private final WindowFingerprints fingerprints = new WindowFingerprints(this::isGone);
    private KeyChains ids;
    private long[] times = {};
    /** On all nodes; ascending with the numbers. */
    private long[] orders = {};
    /** The order at the first processor of the pipeline; mostly the same. */
    private long[] firstOrders = {};

    private EntryState[] states = {};
    private DocumentName[] names = {};
    private DocumentName[][] originals = {};
    private Membership[] memberships = {};
    private String[] aliases = {};
    private BulkAnswer[] answers = {};
    /** Sequence numbers of answered writes; those of {@link Version#NONE} before. */
    private long[] seqNos = {};

    private long[] terms = {};
    private long first;
    private long next;
    private long nameBytes;

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

    /** Bytes once a document has entered. */
    long bytesWith(Arrival arrival) {
        return bytesWith(arrival, capacity());
    }

    /** The same at the next capacity. */
    long bytesWhenGrown(Arrival arrival) {
        return bytesWith(arrival, grown());
    }

    private long bytes(int capacity) {
        return capacity == 0
                ? 0
                : FIXED_BYTES
                        + capacity * ENTRY_BYTES
                        + nameBytes
                        + fingerprints.pairBytes(capacity)
                        + fingerprints.sketches().bytes(capacity);
    }

    private long bytesWith(Arrival arrival, int capacity) {
        return bytes(capacity)
                + arrival.nameBytes()
                + fingerprints.pairBytesOf(arrival.pairing(), capacity)
                + fingerprints.sketches().bytesOf(arrival.print(), capacity);
    }

    private int grown() {
        return Math.max(FIRST_CAPACITY, 2 * capacity());
    }

    void grow() {
        resize(grown());
    }

    /** Halves the arrays when three quarters are empty. Any earlier, they would soon grow again. */
    void shrink() {
        if (capacity() > FIRST_CAPACITY && size() < capacity() / 4) {
            resize(capacity() / 2);
        }
    }

    private void resize(int capacity) {
        fingerprints.resize(capacity, first, next);
        if (ids == null) {
            ids = new KeyChains(KeyChains.KEYS, capacity, this::isGone);
        }
        ids.resize(capacity, first, next);
        times = Rings.resized(times, capacity, first, next);
        orders = Rings.resized(orders, capacity, first, next);
        firstOrders = Rings.resized(firstOrders, capacity, first, next);
        names = Rings.resized(names, capacity, first, next);
        originals = Rings.resized(originals, capacity, first, next);
        memberships = Rings.resized(memberships, capacity, first, next);
        aliases = Rings.resized(aliases, capacity, first, next);
        answers = Rings.resized(answers, capacity, first, next);
        seqNos = Rings.resized(seqNos, capacity, first, next);
        terms = Rings.resized(terms, capacity, first, next);
        states = Rings.resized(states, capacity, first, next);
    }

    void add(Arrival arrival, long now) {
        long number = next++;
        fingerprints.add(number, arrival.print(), arrival.pairing());
        int slot = slot(number);
        times[slot] = now;
        orders[slot] = arrival.order();
        firstOrders[slot] = arrival.order();
        states[slot] = EntryState.UNDECIDED;
        names[slot] = arrival.name();
        aliases[slot] = arrival.alias();
        answers[slot] = arrival.answer();
        stored(number, Version.NONE);
        nameBytes += arrival.nameBytes();
        ids.add(number, idKey(arrival.name().id()));
    }

    long order(long number) {
        return orders[slot(number)];
    }

    long firstOrder(long number) {
        return firstOrders[slot(number)];
    }

    /** The first entry with at least this order; the next number if none. */
    long firstFrom(long order) {
        long low = first;
        long high = next;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (orders[slot(middle)] < order) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Both are of one document. */
    void takeFirstOrder(long number, long earlier) {
        firstOrders[slot(number)] = firstOrders[slot(earlier)];
    }

    /** Uses up a number, for a document without room. */
    void skip(long order) {
        if (size() > 0) {
            int slot = slot(next);
            if (isFull()) {
                forgetOldest();
            }
            states[slot] = EntryState.GONE;
            names[slot] = null;
            times[slot] = times[slot(next - 1)];
            orders[slot] = order;
            next++;
        } else {
            next++;
            first = next;
        }
    }

    void forgetOldest() {
        int slot = slot(first);
        if (originals[slot] != null) {
            nameBytes -=
                    Arrays.stream(originals[slot]).mapToLong(Arrival::bytes).sum();
            originals[slot] = null;
        }
        drop(first);
        if (names[slot] != null) {
            nameBytes -= Arrival.bytes(names[slot]);
            names[slot] = null;
        }
        answers[slot] = null;
        first++;
    }

    long oldestTime() {
        return times[slot(first)];
    }

    EntryState state(long number) {
        return number < first || number >= next ? EntryState.GONE : states[slot(number)];
    }

    DocumentName name(long number) {
        return names[slot(number)];
    }

    String alias(long number) {
        return aliases[slot(number)];
    }

    BulkAnswer answer(long number) {
        return answers[slot(number)];
    }

    /** The client was told of the written version. */
    void stored(long number, Version version) {
        seqNos[slot(number)] = version.seqNo();
        terms[slot(number)] = version.primaryTerm();
    }

    /** The version in the bulk's answer, or {@link Version#NONE}. */
    Version version(long number) {
        return new Version(seqNos[slot(number)], terms[slot(number)]);
    }

    /** False for an entry that is gone. */
    boolean isAnswered(long number) {
        return state(number) != EntryState.GONE && answers[slot(number)].isGiven();
    }

    /** The id stays. */
    void rename(long number, DocumentName name) {
        int slot = slot(number);
        if (name.index().equals(names[slot].index()) == false) {
            aliases[slot] = null;
        }
        nameBytes += Arrival.bytes(name) - Arrival.bytes(names[slot]);
        names[slot] = name;
    }

    void follow(long number, DocumentName original) {
        List<DocumentName> before = originals(number);
        // No original twice: a document may come many times in one bulk, and follows what its earlier versions follow.
        if (state(number) != EntryState.GONE && before.stream().noneMatch(original::sameDocument)) {
            DocumentName[] all = before.toArray(new DocumentName[before.size() + 1]);
            all[before.size()] = original;
            originals[slot(number)] = all;
            nameBytes += Arrival.bytes(original);
        }
    }

    /** None if the entry is gone. */
    List<DocumentName> originals(long number) {
        DocumentName[] all = state(number) == EntryState.GONE ? null : originals[slot(number)];
        return all == null ? List.of() : List.of(all);
    }

    /** @param membership the group that the entry's version names, or null */
    void join(long number, Membership membership) {
        Membership before = membership(number);
        if (state(number) != EntryState.GONE && Objects.equals(before, membership) == false) {
            nameBytes += (membership == null ? 0 : membership.bytes()) - (before == null ? 0 : before.bytes());
            memberships[slot(number)] = membership;
        }
    }

    /** Null if the version names no group, or the entry is gone. */
    Membership membership(long number) {
        return state(number) == EntryState.GONE ? null : memberships[slot(number)];
    }

    /** To a state of a decided entry. */
    void change(long number, EntryState state) {
        states[slot(number)] = state;
    }

    /** Removes an entry from its chains. */
    void drop(long number) {
        if (state(number) != EntryState.GONE) {
            join(number, null);
            fingerprints.forget(number);
            ids.forget(idKey(name(number).id()));
            states[slot(number)] = EntryState.GONE;
        }
    }

    private boolean isGone(long number) {
        return number >= first && states[slot(number)] == EntryState.GONE;
    }

    /** The newest entry that may have this id; -1 if none. */
    long newest(String id) {
        return capacity() == 0 ? -1 : inRing(ids.newest(idKey(id)));
    }

    /** The next older entry that may have the same id; -1 if none. */
    long older(long number) {
        return inRing(ids.older(number));
    }

    private long inRing(long number) {
        return number < first ? -1 : number;
    }

    WindowFingerprints fingerprints() {
        return fingerprints;
    }

    private int idKey(String id) {
        return (int) idHash.hashCharsToLong(id) & (KeyChains.KEYS - 1);
    }

    private int slot(long number) {
        return Rings.slot(number, states.length);
    }
}
