/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;

/** The fingerprints of the {@link WindowEntries}, and chains by segment and digest. One thread at a time. */
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
    private long[] bits = {};
    private long[] digestHigh = {};
    private long[] digestLow = {};
    private boolean[] hasBits = {};
    private boolean[] hasDigest = {};
    private String[] schemes = {};
    private String[] fields = {};
    /** Documents bring equal strings; entries share one. */
    private final Map<String, String> knownSchemes = new HashMap<>();

    /** @param isGone as for {@link KeyChains} */
    WindowFingerprints(LongPredicate isGone) {
        this.isGone = isGone;
    }

    void resize(int capacity, long first, long next) {
        for (int i = 0; i < CHAINS; i++) {
            chains[i] = KeyChains.resized(chains[i], capacity, first, next, isGone);
        }
        bits = Rings.resized(bits, capacity, first, next);
        digestHigh = Rings.resized(digestHigh, capacity, first, next);
        digestLow = Rings.resized(digestLow, capacity, first, next);
        hasBits = Rings.resized(hasBits, capacity, first, next);
        hasDigest = Rings.resized(hasDigest, capacity, first, next);
        schemes = Rings.resized(schemes, capacity, first, next);
        fields = Rings.resized(fields, capacity, first, next);
    }

    void add(long number, ArrivedFingerprint fingerprint) {
        int slot = slot(number);
        bits[slot] = fingerprint.bits();
        digestHigh[slot] = fingerprint.digestHigh();
        digestLow[slot] = fingerprint.digestLow();
        hasBits[slot] = fingerprint.hasBits();
        hasDigest[slot] = fingerprint.hasDigest();
        schemes[slot] = shared(fingerprint.scheme());
        fields[slot] = fingerprint.field();
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
        schemes[slot] = null;
    }

    /** As {@link ArrivedFingerprint#distance}, from an arriving document to an entry. */
    int distance(long number, ArrivedFingerprint fingerprint) {
        if (isOf(number, fingerprint.field()) == false) {
            return ArrivedFingerprint.INCOMPARABLE;
        }
        int slot = slot(number);
        if (fingerprint.hasDigest() && hasDigest[slot] && sameDigest(slot, fingerprint)) {
            return 0;
        }
        String scheme = fingerprint.scheme();
        return hasBits[slot] && fingerprint.hasBits() && (scheme == null || scheme.equals(schemes[slot]))
                ? Long.bitCount(bits[slot] ^ fingerprint.bits())
                : ArrivedFingerprint.INCOMPARABLE;
    }

    /** Also for an entry that is gone. */
    Print print(long number) {
        int slot = slot(number);
        return new Print(hasBits[slot], bits[slot], hasDigest[slot], digestHigh[slot], digestLow[slot], schemes[slot]);
    }

    String field(long number) {
        return fields[slot(number)];
    }

    /** Whether an entry is of a field. A document with several fingerprints has an entry for each. */
    boolean isOf(long number, String field) {
        return field.equals(fields[slot(number)]);
    }

    /** Whether two entries have the same field and equal fingerprints. */
    boolean areEqual(long one, long other) {
        int a = slot(one);
        int b = slot(other);
        return fields[a].equals(fields[b])
                && hasBits[a] == hasBits[b]
                && bits[a] == bits[b]
                && hasDigest[a] == hasDigest[b]
                && digestLow[a] == digestLow[b]
                && digestHigh[a] == digestHigh[b]
                && Objects.equals(schemes[a], schemes[b]);
    }

    private boolean sameDigest(int slot, ArrivedFingerprint fingerprint) {
        return digestLow[slot] == fingerprint.digestLow() && digestHigh[slot] == fingerprint.digestHigh();
    }

    KeyChains segment(int segment) {
        return chains[segment];
    }

    KeyChains digests() {
        return chains[DIGESTS];
    }

    static int digestKey(ArrivedFingerprint fingerprint) {
        return digestKey(fingerprint.digestLow());
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
