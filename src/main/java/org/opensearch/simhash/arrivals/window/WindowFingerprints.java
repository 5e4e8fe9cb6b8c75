/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.opensearch.simhash.arrivals.arrival.ArrivedDigest;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPassages;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.scope.Pairing;
import org.opensearch.simhash.arrivals.window.WindowSearch.WantedPrint;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;

/**
 * What the {@link WindowEntries} are compared by: fingerprints and digests with their chains, and {@link WindowSketches}.
 * One thread at a time.
 */
final class WindowFingerprints {

    /** Four segments of 16 bits. */
    static final SegmentLayout LAYOUT = new SegmentLayout(4);

    /** Mostly more than the recipes of a cluster. */
    private static final int KNOWN_SCHEMES = 64;

    private static final int DIGESTS = 4;
    private static final int CHAINS = DIGESTS + 1;

    static final long FIXED_BYTES = CHAINS * KeyChains.FIXED_BYTES;

    /** Bits and digest; chains; two references; two flags. */
    static final long ENTRY_BYTES = 3 * Long.BYTES + (CHAINS + 2) * Integer.BYTES + 2;

    private final LongPredicate isGone;
    private final KeyChains[] chains = new KeyChains[CHAINS];
    private final WindowSketches sketches;
    private long[] bits = {};
    private long[] digestHigh = {};
    private long[] digestLow = {};
    private boolean[] hasBits = {};
    private boolean[] hasDigest = {};
    private String[] schemes = {};
    private String[] fields = {};
    /** Empty until a document has conditions; null for entries without. */
    private Pairing[] pairings = {};

    private long pairBytes;
    /** Documents bring equal strings; entries share one. */
    private final Map<String, String> knownSchemes = new HashMap<>();

    /** @param isGone as for {@link KeyChains} */
    WindowFingerprints(LongPredicate isGone) {
        this.isGone = isGone;
        this.sketches = new WindowSketches(isGone);
    }

    void resize(int capacity, long first, long next) {
        for (int i = 0; i < CHAINS; i++) {
            if (chains[i] == null) {
                chains[i] = new KeyChains(KeyChains.KEYS, capacity, isGone);
            }
            chains[i].resize(capacity, first, next);
        }
        sketches.resize(capacity, first, next);
        bits = Rings.resized(bits, capacity, first, next);
        digestHigh = Rings.resized(digestHigh, capacity, first, next);
        digestLow = Rings.resized(digestLow, capacity, first, next);
        hasBits = Rings.resized(hasBits, capacity, first, next);
        hasDigest = Rings.resized(hasDigest, capacity, first, next);
        schemes = Rings.resized(schemes, capacity, first, next);
        fields = Rings.resized(fields, capacity, first, next);
        if (pairings.length > 0) {
            pairings = Rings.resized(pairings, capacity, first, next);
        }
    }

    /** Bytes of what conditions are decided by, at a capacity. */
    long pairBytes(int capacity) {
        return pairings.length == 0 ? 0 : pairBytes + (long) capacity * Integer.BYTES;
    }

    /** The bytes that an entry adds to them. */
    long pairBytesOf(Pairing pairing, int capacity) {
        if (pairing.conditions().isEmpty()) {
            return 0;
        }
        return pairing.bytes() + (pairings.length == 0 ? (long) capacity * Integer.BYTES : 0);
    }

    void add(long number, ArrivedPrint print, Pairing pairing) {
        int slot = slot(number);
        pair(number, pairing);
        WantedPrint added = new WantedPrint(print);
        hasDigest[slot] = added.hasDigest;
        digestHigh[slot] = added.digestHigh;
        digestLow[slot] = added.digestLow;
        hasBits[slot] = added.hasBits;
        bits[slot] = added.bits;
        schemes[slot] = shared(added.scheme);
        fields[slot] = added.field;
        sketches.add(number, print);
        for (int i = 0; i < CHAINS; i++) {
            if (isIn(i, slot)) {
                chains[i].add(number, key(i, slot));
            }
        }
    }

    private String shared(String scheme) {
        if (knownSchemes.size() == KNOWN_SCHEMES) {
            knownSchemes.clear();
        }
        String known = scheme == null ? null : knownSchemes.putIfAbsent(scheme, scheme);
        return known == null ? scheme : known;
    }

    /** As {@link KeyChains#forget}. */
    void forget(long number) {
        int slot = slot(number);
        for (int i = 0; i < CHAINS; i++) {
            if (isIn(i, slot)) {
                chains[i].forget(key(i, slot));
            }
        }
        sketches.forget(slot);
        pair(number, Pairing.NONE);
        schemes[slot] = null;
    }

    /** As {@link ArrivedPrint#distance}, from an arriving document to an entry. */
    int distance(long number, WantedPrint wanted) {
        if (isOf(number, wanted.field) == false) {
            return ArrivedPrint.INCOMPARABLE;
        }
        int slot = slot(number);
        if (wanted.hasDigest
                && hasDigest[slot]
                && digestLow[slot] == wanted.digestLow
                && digestHigh[slot] == wanted.digestHigh) {
            return 0;
        }
        if (wanted.other != null) {
            ArrivedPrint other = sketches.print(slot);
            return other != null && wanted.suits(schemes[slot])
                    ? wanted.other.distance(other)
                    : ArrivedPrint.INCOMPARABLE;
        }
        return hasBits[slot] && wanted.hasBits && wanted.suits(schemes[slot])
                ? Long.bitCount(bits[slot] ^ wanted.bits)
                : ArrivedPrint.INCOMPARABLE;
    }

    /** Also for an entry that is gone. */
    ArrivedPrint print(long number) {
        int slot = slot(number);
        ArrivedDigest digest = hasDigest[slot] ? new ArrivedDigest(digestHigh[slot], digestLow[slot]) : null;
        String field = fields[slot];
        String scheme = schemes[slot];
        return switch (sketches.print(slot)) {
            case null -> new ArrivedFingerprint(field, hasBits[slot], bits[slot], null, digest, scheme);
            case ArrivedFingerprint longer -> new ArrivedFingerprint(field, false, 0, longer.hash(), digest, scheme);
            case ArrivedSketch sketch -> new ArrivedSketch(field, sketch.sketch(), sketch.layout(), digest, scheme);
            case ArrivedPassages passages -> new ArrivedPassages(field, passages.terms(), scheme);
        };
    }

    /** Sets what decides conditions. */
    void pair(long number, Pairing pairing) {
        if (pairings.length == 0 && pairing.conditions().isEmpty()) {
            return;
        }
        if (pairings.length == 0) {
            pairings = new Pairing[bits.length];
        }
        pairBytes += pairing.bytes() - pairing(number).bytes();
        pairings[slot(number)] = pairing.conditions().isEmpty() ? null : pairing;
    }

    /** What decides conditions; {@link Pairing#NONE} for an entry that is gone. */
    Pairing pairing(long number) {
        Pairing pairing = pairings.length == 0 ? null : pairings[slot(number)];
        return pairing == null ? Pairing.NONE : pairing;
    }

    String field(long number) {
        return fields[slot(number)];
    }

    /** Whether an entry is of a field. A document with several fingerprints has an entry for each. */
    boolean isOf(long number, String field) {
        return field.equals(fields[slot(number)]);
    }

    /** Whether two entries have the same field, equal fingerprints, and no different values for the same conditions. */
    boolean areEqual(long one, long other) {
        int a = slot(one);
        int b = slot(other);
        return fields[a].equals(fields[b])
                && hasBits[a] == hasBits[b]
                && bits[a] == bits[b]
                && hasDigest[a] == hasDigest[b]
                && digestLow[a] == digestLow[b]
                && digestHigh[a] == digestHigh[b]
                && Objects.equals(schemes[a], schemes[b])
                && pairing(one).differsFrom(pairing(other)) == false
                && sketches.areEqual(a, b);
    }

    WindowSketches sketches() {
        return sketches;
    }

    KeyChains segment(int segment) {
        return chains[segment];
    }

    KeyChains digests() {
        return chains[DIGESTS];
    }

    static int digestKey(WantedPrint wanted) {
        return digestKey(wanted.digestLow);
    }

    private static int digestKey(long digestLow) {
        return (int) digestLow & (KeyChains.KEYS - 1);
    }

    private boolean isIn(int chain, int slot) {
        return chain == DIGESTS ? hasDigest[slot] : hasBits[slot];
    }

    private int key(int chain, int slot) {
        return chain == DIGESTS ? digestKey(digestLow[slot]) : (int) LAYOUT.value(bits[slot], chain);
    }

    private int slot(long number) {
        return Rings.slot(number, bits.length);
    }
}
