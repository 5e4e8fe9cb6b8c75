/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedDigest;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPassages;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;

/**
 * Finds the entries near a document: by short chains of segment values, else by a scan. Exact either way, see
 * {@link ProbePlan}. One thread, one use.
 */
final class WindowSearch {

    /** Lower than the rank of any entry. */
    static final long BEFORE_ALL = -1;

    /** The newest entries, whose terms of passages are compared: some two milliseconds. */
    private static final int MOST_COMPARED = 20_000;

    private static final int NUMBER_BITS = 52;
    private static final long NUMBER = (1L << NUMBER_BITS) - 1;

    /** The largest ring to look up. */
    private static final int LARGEST_RADIUS = 4;
    /** Masks of 16 bits by their number of bits: the rings of a value. */
    private static final int[] MASKS = IntStream.range(0, 1 << 16)
            .filter(mask -> Integer.bitCount(mask) <= LARGEST_RADIUS)
            .boxed()
            .sorted(Comparator.comparingInt(Integer::bitCount))
            .mapToInt(Integer::intValue)
            .toArray();
    /** By radius: the masks within it. */
    private static final int[] WITHIN = IntStream.rangeClosed(0, LARGEST_RADIUS)
            .map(radius -> (int) IntStream.of(MASKS)
                    .filter(mask -> Integer.bitCount(mask) <= radius)
                    .count())
            .toArray();
    /** Of a step in a chain; a step of a scan costs 1. */
    private static final double CHAIN_COST = 8;
    /** Of a lookup of a key. */
    private static final double KEY_COST = 2;

    private final WindowEntries entries;
    private final WindowFingerprints fingerprints;
    private final Arrival arrival;
    private final int maxDistance;
    private final WantedPrint print;
    private final SegmentLayout layout;
    private final long after;
    /** The ranks of the nearest entries so far: distance and number in one, ascending. */
    private final long[] best;

    private int found;
    private long looked;

    /**
     * @param count most matches
     * @param after the {@link #rank} behind which entries count
     */
    WindowSearch(WindowEntries entries, Arrival arrival, int maxDistance, int count, long after) {
        this.entries = entries;
        this.fingerprints = entries.fingerprints();
        this.arrival = arrival;
        this.maxDistance = maxDistance;
        this.print = new WantedPrint(arrival.print());
        this.layout = print.hash == null ? WindowFingerprints.LAYOUT : WindowSketches.layout(print.hash);
        this.best = new long[count];
        this.after = after;
    }

    /** Orders matches: the nearest first, then the oldest. */
    static long rank(Original match) {
        return rank(match.distance(), match.number());
    }

    private static long rank(int distance, long number) {
        return (long) distance << NUMBER_BITS | number;
    }

    /** For tests: the number of entries looked at. */
    long looked() {
        return looked;
    }

    List<Original> run() {
        if (entries.size() > 0 && entries.first() < arrival.number() && scan(oldest()) == false) {
            if (print.hasDigest) {
                follow(fingerprints.digests(), WindowFingerprints.digestKey(print));
            }
            if (print.other instanceof ArrivedPassages) {
                scan(Math.max(entries.first(), end() - MOST_COMPARED), end());
            } else if ((print.hasBits || print.other != null) && probe() == false) {
                scan(end());
            }
        }
        List<Original> matches = new ArrayList<>(found);
        for (int i = 0; i < found; i++) {
            long number = best[i] & NUMBER;
            int distance = (int) (best[i] >>> NUMBER_BITS);
            matches.add(new Original(entries.name(number), distance, Double.NaN, Version.NONE, number));
        }
        return matches;
    }

    /**
     * The end of a first scan of old entries. Among many equal texts the oldest are wanted, but chains begin with the
     * newest. The scan costs at most as much as the digest's chain.
     */
    private long oldest() {
        int equal = print.hasDigest ? fingerprints.digests().count(WindowFingerprints.digestKey(print)) : 0;
        return Math.min(end(), entries.first() + (long) (CHAIN_COST * equal));
    }

    private long end() {
        return Math.min(entries.next(), arrival.number());
    }

    /** Returns false if a scan is cheaper. */
    private boolean probe() {
        if (print.other instanceof ArrivedSketch sketch) {
            // The scheme tells the layout.
            List<WindowSketches.Probe> probes =
                    print.scheme == null ? null : fingerprints.sketches().probes(sketch, maxDistance);
            return probes != null && probe(probes);
        }
        if (print.hash != null && fingerprints.sketches().segments() < layout.count()) {
            return true; // no hash is as long
        }
        ProbePlan plan = cheapest();
        return plan != null && probe(plan);
    }

    private boolean probe(List<WindowSketches.Probe> probes) {
        long candidates = probes.stream().mapToLong(WindowSketches.Probe::count).sum();
        if (candidates * CHAIN_COST > entries.size()) {
            return false;
        }
        probes.forEach(probe -> follow(probe.chains(), probe.key()));
        return true;
    }

    /** Null if a scan is cheaper. */
    private ProbePlan cheapest() {
        double average = entries.size() / (double) chains(0).keys();
        return ProbePlan.cheapest(
                layout,
                maxDistance,
                (segment, radius) -> {
                    if (radius == ProbePlan.NONE) {
                        return 0;
                    }
                    if (radius > LARGEST_RADIUS) {
                        return Double.POSITIVE_INFINITY;
                    }
                    int own = chains(segment).count(key(segment));
                    return (WITHIN[radius] - 1) * (KEY_COST + CHAIN_COST * average) + KEY_COST + CHAIN_COST * own;
                },
                entries.size());
    }

    private KeyChains chains(int segment) {
        return print.hash == null
                ? fingerprints.segment(segment)
                : fingerprints.sketches().segment(segment);
    }

    private int key(int segment) {
        return print.hash == null
                ? (int) layout.value(print.bits, segment)
                : fingerprints.sketches().key(print.other, segment);
    }

    /** Returns false, before any walk, if the chains are longer than estimated. */
    private boolean probe(ProbePlan plan) {
        long candidates = 0;
        for (int segment = 0; segment < layout.count(); segment++) {
            KeyChains chains = chains(segment);
            int key = key(segment);
            for (int i = within(plan.radius(segment)) - 1; i >= 0; i--) {
                candidates += MASKS[i] < chains.keys() ? chains.count(key ^ MASKS[i]) : 0;
            }
        }
        if (candidates * CHAIN_COST > entries.size()) {
            return false;
        }
        for (int segment = 0; segment < layout.count(); segment++) {
            KeyChains chains = chains(segment);
            int key = key(segment);
            for (int i = within(plan.radius(segment)) - 1; i >= 0; i--) {
                // Fewer keys are the low bits of values: another mask has the bits of this one that count.
                if (MASKS[i] < chains.keys() && chains.count(key ^ MASKS[i]) > 0) {
                    follow(chains, key ^ MASKS[i]);
                }
            }
        }
        return true;
    }

    /** 0 for a segment that is not looked up. */
    private static int within(int radius) {
        return radius < 0 ? 0 : WITHIN[radius];
    }

    private void follow(KeyChains chains, int key) {
        for (long number = chains.newest(key); number >= entries.first(); number = chains.older(number)) {
            if (number < arrival.number()) {
                consider(number);
            }
        }
    }

    /** The oldest first. Returns whether no later entry can have a lower rank. */
    private boolean scan(long until) {
        return scan(entries.first(), until);
    }

    private boolean scan(long from, long until) {
        for (long number = from; number < until; number++) {
            consider(number);
            if (found == best.length && best[found - 1] <= rank(0, number)) {
                return true;
            }
        }
        return until == end();
    }

    private void consider(long number) {
        looked++;
        EntryState state = entries.state(number);
        if (state == EntryState.GONE || state.isReplaced()) {
            return; // nearly all, in a flood of duplicates
        }
        int distance = fingerprints.distance(number, print);
        if (distance > maxDistance) {
            return;
        }
        long rank = rank(distance, number);
        if (rank <= after || (found == best.length && rank >= best[found - 1])) {
            return;
        }
        DocumentName name = entries.name(number);
        if (arrival.scope().counts(name.index()) == false
                || arrival.scope().shows(name.index(), entries.alias(number)) == false
                || name.sameDocument(arrival.name())
                || arrival.pairing().isMetBy(fingerprints.pairing(number)) == false
                || entries.firstOrder(number)
                        > arrival.firstOrder()) { // may be the document itself, entered by an earlier processor
            return;
        }
        insert(rank);
    }

    private void insert(long rank) {
        int i = found - 1;
        while (i >= 0 && best[i] > rank) {
            i--;
        }
        if (i >= 0 && best[i] == rank) {
            return; // found by two segments
        }
        if (found < best.length) {
            found++;
        }
        for (int to = found - 1; to > i + 1; to--) {
            best[to] = best[to - 1];
        }
        best[i + 1] = rank;
    }

    /** The parts of a print that a search compares with each entry. Immutable. */
    static final class WantedPrint {

        final String field;
        final String scheme;
        final boolean hasDigest;
        final long digestHigh;
        final long digestLow;
        final boolean hasBits;
        final long bits;
        /** As {@link WindowSketches#kept} tells. */
        final ArrivedPrint other;
        /** Of more than 64 bits, or null. */
        final LongHash hash;

        WantedPrint(ArrivedPrint print) {
            ArrivedDigest digest = print.digest();
            this.field = print.field();
            this.scheme = print.scheme();
            this.hasDigest = digest != null;
            this.digestHigh = digest == null ? 0 : digest.high();
            this.digestLow = digest == null ? 0 : digest.low();
            this.hasBits = print instanceof ArrivedFingerprint fingerprint && fingerprint.hasBits();
            this.hash = print instanceof ArrivedFingerprint fingerprint ? fingerprint.hash() : null;
            this.bits = print instanceof ArrivedFingerprint fingerprint ? fingerprint.bits() : 0;
            this.other = WindowSketches.kept(print);
        }

        /** Whether it can be compared with prints of a scheme, beyond digests. */
        boolean suits(String other) {
            return scheme == null || scheme.equals(other);
        }
    }
}
