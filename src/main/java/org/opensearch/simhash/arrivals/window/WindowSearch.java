/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPassages;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
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
    private final PrintChains chains;
    private final Arrival arrival;
    private final int maxDistance;
    private final ArrivedPrint print;
    private final long after;
    /** The ranks of the nearest entries so far: distance and number in one, ascending. */
    private final long[] best;

    /** By its bits entries are left out unread. Null until those of equal digests are found, and for other prints. */
    private ArrivedFingerprint byBits;

    private int found;
    private long looked;

    /** @param after the {@link #rank} behind which entries count */
    WindowSearch(WindowEntries entries, Arrival arrival, int maxDistance, int count, long after) {
        this.entries = entries;
        this.chains = entries.prints();
        this.arrival = arrival;
        this.maxDistance = maxDistance;
        this.print = arrival.print();
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
        if (entries.size() > 0 && entries.first() < arrival.number()) {
            PrintChains.Probe equal = chains.ofDigest(print);
            if (scan(entries.first(), oldest(equal)) == false) {
                if (equal != null) {
                    follow(equal.chains(), equal.key());
                }
                byBits = print instanceof ArrivedFingerprint fingerprint && fingerprint.hasBits() ? fingerprint : null;
                if (print instanceof ArrivedPassages) {
                    scan(Math.max(entries.first(), end() - MOST_COMPARED), end());
                } else if (print.isWhole() && probe() == false) {
                    scan(entries.first(), end());
                }
            }
        }
        List<Original> matches = new ArrayList<>(found);
        for (int i = 0; i < found; i++) {
            long number = best[i] & NUMBER;
            int distance = (int) (best[i] >>> NUMBER_BITS);
            matches.add(new Original(entries.get(number).name, distance, Double.NaN, Version.NONE, number));
        }
        return matches;
    }

    /**
     * The end of a first scan of old entries. Among many equal texts the oldest are wanted, but chains begin with the
     * newest. The scan costs at most as much as the digest's chain.
     */
    private long oldest(PrintChains.Probe equal) {
        return Math.min(end(), entries.first() + (long) (CHAIN_COST * (equal == null ? 0 : equal.count())));
    }

    private long end() {
        return Math.min(entries.next(), arrival.number());
    }

    /** Returns false if a scan is cheaper. */
    private boolean probe() {
        return switch (print) {
            case ArrivedSketch sketch -> follow(chains.probes(sketch, maxDistance));
            case ArrivedFingerprint fingerprint ->
                chains.hasChains(print) == false || lookUp(PrintChains.layout(fingerprint));
            case ArrivedPassages passages -> false;
        };
    }

    /** Follows all values within the radius of each segment's. Returns false, before any walk, if a scan is cheaper. */
    private boolean lookUp(SegmentLayout layout) {
        List<PrintChains.Probe> own = IntStream.range(0, layout.count())
                .mapToObj(segment -> chains.probe(print, segment))
                .toList();
        double average = entries.size() / (double) own.getFirst().chains().keys();
        ProbePlan plan = ProbePlan.cheapest(
                layout,
                maxDistance,
                (segment, radius) -> {
                    if (radius == ProbePlan.NONE) {
                        return 0;
                    }
                    if (radius > LARGEST_RADIUS) {
                        return Double.POSITIVE_INFINITY;
                    }
                    return (WITHIN[radius] - 1) * (KEY_COST + CHAIN_COST * average)
                            + KEY_COST
                            + CHAIN_COST * own.get(segment).count();
                },
                entries.size());
        if (plan == null || steps(own, plan, false) * CHAIN_COST > entries.size()) {
            return false;
        }
        steps(own, plan, true);
        return true;
    }

    /** Steps along all chains within the radii. Allocates nothing: there are hundreds. */
    private long steps(List<PrintChains.Probe> own, ProbePlan plan, boolean walks) {
        long steps = 0;
        for (int segment = 0; segment < own.size(); segment++) {
            KeyChains chains = own.get(segment).chains();
            int radius = plan.radius(segment); // negative for a segment that is not looked up
            for (int i = radius < 0 ? -1 : WITHIN[radius] - 1; i >= 0; i--) {
                int key = own.get(segment).key() ^ MASKS[i];
                // Fewer keys are the low bits of values: another mask has the bits of this one that count.
                if (MASKS[i] < chains.keys() && chains.count(key) > 0) {
                    steps += chains.count(key);
                    if (walks) {
                        follow(chains, key);
                    }
                }
            }
        }
        return steps;
    }

    /** Returns false, before any walk, if a scan is cheaper. */
    private boolean follow(List<PrintChains.Probe> probes) {
        if (probes == null
                || probes.stream().mapToLong(PrintChains.Probe::count).sum() * CHAIN_COST > entries.size()) {
            return false;
        }
        probes.forEach(probe -> follow(probe.chains(), probe.key()));
        return true;
    }

    private void follow(KeyChains chain, int key) {
        for (long number = chain.newest(key); number >= entries.first(); number = chain.older(number)) {
            if (number < arrival.number()) {
                consider(number);
            }
        }
    }

    /** The oldest first. Returns whether no later entry can have a lower rank. */
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
        if (byBits != null && entries.mayBeWithin(maxDistance, byBits.bits(), number) == false) {
            return;
        }
        WindowEntry entry = entries.get(number);
        if (entry == null || entry.state.isReplaced()) {
            return; // nearly all, in a flood of duplicates
        }
        int distance = entry.distance(print);
        if (distance > maxDistance) {
            return;
        }
        long rank = rank(distance, number);
        if (rank <= after || (found == best.length && rank >= best[found - 1])) {
            return;
        }
        String index = entry.name.index();
        if (arrival.scope().counts(index) == false
                || arrival.scope().shows(index, entry.alias) == false
                || entry.name.sameDocument(arrival.name())
                || arrival.pairing().isMetBy(entry.pairing) == false
                || entry.firstOrder
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
        System.arraycopy(best, i + 1, best, i + 2, found - i - 2);
        best[i + 1] = rank;
    }
}
