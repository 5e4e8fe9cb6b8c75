/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPassages;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;

/**
 * The chains of {@link WindowEntries} that have a digest in common, or a segment of a fingerprint, a segment of a longer
 * hash, a band of a sketch. Chains of a kind are made when the first print of the kind enters. One thread at a time.
 */
final class PrintChains {

    private static final int FEWEST_KEYS = 1 << 10;

    /** Entries to a key: each band has arrays of this length, which a small window cannot pay. */
    private static final int ENTRIES_PER_KEY = 4;

    /** Four segments of 16 bits. */
    private static final SegmentLayout LAYOUT = new SegmentLayout(SegmentLayout.USUAL);

    private static final int LONG_WORDS = LongHash.MOST_BITS / Long.SIZE;
    private static final SegmentLayout LONG_LAYOUT = new SegmentLayout(SegmentLayout.USUAL * LONG_WORDS, LONG_WORDS);

    /** A chain that leads to entries like a print. */
    record Probe(KeyChains chains, int key) {

        int count() {
            return chains.count(key);
        }
    }

    private final LongPredicate isGone;
    private final List<KeyChains> digests = new ArrayList<>(1);

    private final List<KeyChains> segments = new ArrayList<>();
    private final List<KeyChains> longSegments = new ArrayList<>();
    private final List<KeyChains> bands = new ArrayList<>();
    private int capacity;
    /** Of a band, or a segment of a longer hash. */
    private int keys;
    /** Sketches without bands. */
    private int unbanded;

    /** @param isGone as for {@link KeyChains} */
    PrintChains(LongPredicate isGone) {
        this.isGone = isGone;
    }

    long bytes(int atCapacity) {
        return (digests.size() + segments.size()) * KeyChains.bytes(KeyChains.KEYS, atCapacity)
                + (longSegments.size() + bands.size()) * KeyChains.bytes(keys(atCapacity), atCapacity);
    }

    /** Bytes that a print adds at a capacity. */
    long bytesOf(ArrivedPrint print, int atCapacity) {
        int missing = Math.max(0, count(print) - chains(print).size());
        return missing * KeyChains.bytes(keys(print, atCapacity), atCapacity)
                + (print.hasDigest() && digests.isEmpty() ? KeyChains.bytes(KeyChains.KEYS, atCapacity) : 0);
    }

    private static int keys(int capacity) {
        return Math.clamp(capacity / ENTRIES_PER_KEY, FEWEST_KEYS, KeyChains.KEYS);
    }

    private static int keys(ArrivedPrint print, int capacity) {
        return isShort(print) ? KeyChains.KEYS : keys(capacity);
    }

    private static boolean isShort(ArrivedPrint print) {
        return print instanceof ArrivedFingerprint fingerprint && fingerprint.hash() == null;
    }

    void resize(int newCapacity, WindowEntries entries) {
        capacity = newCapacity;
        boolean areLinked = keys == keys(capacity);
        for (List<KeyChains> chains :
                areLinked ? List.of(digests, segments, longSegments, bands) : List.of(digests, segments)) {
            chains.forEach(one -> one.resize(capacity, entries.first(), entries.next()));
        }
        if (areLinked == false) {
            keys = keys(capacity);
            longSegments.replaceAll(old -> new KeyChains(keys, capacity, isGone));
            bands.replaceAll(old -> new KeyChains(keys, capacity, isGone));
            entries.forEach(entry -> {
                if (isShort(entry.print) == false) {
                    link(entry);
                }
            });
        }
    }

    void add(WindowEntry entry) {
        ArrivedPrint print = entry.print;
        if (print.hasDigest()) {
            if (digests.isEmpty()) {
                digests.add(new KeyChains(KeyChains.KEYS, capacity, isGone));
            }
            digests.getFirst().add(entry.number, key(print));
        }
        while (chains(print).size() < count(print)) {
            chains(print).add(new KeyChains(keys(print, capacity), capacity, isGone));
        }
        unbanded += isUnbanded(print) ? 1 : 0;
        link(entry);
    }

    private void link(WindowEntry entry) {
        for (int i = 0; i < count(entry.print); i++) {
            Probe probe = probe(entry.print, i);
            probe.chains.add(entry.number, probe.key);
        }
    }

    /** As {@link KeyChains#forget}. */
    void forget(WindowEntry entry) {
        ArrivedPrint print = entry.print;
        if (print.hasDigest()) {
            digests.getFirst().forget(key(print));
        }
        unbanded -= isUnbanded(print) ? 1 : 0;
        for (int i = 0; i < count(print); i++) {
            Probe probe = probe(print, i);
            probe.chains.forget(probe.key);
        }
    }

    private static boolean isUnbanded(ArrivedPrint print) {
        return print instanceof ArrivedSketch && print.isWhole() && count(print) == 0;
    }

    private List<KeyChains> chains(ArrivedPrint print) {
        return switch (print) {
            case ArrivedFingerprint fingerprint -> isShort(fingerprint) ? segments : longSegments;
            case ArrivedSketch sketch -> bands;
            case ArrivedPassages passages -> List.of();
        };
    }

    private static int count(ArrivedPrint print) {
        return switch (print) {
            case ArrivedFingerprint fingerprint ->
                fingerprint.isWhole() ? layout(fingerprint).count() : 0;
            case ArrivedSketch sketch ->
                sketch.layout() == null ? 0 : sketch.layout().bands();
            case ArrivedPassages passages -> 0;
        };
    }

    /** Segments of 16 bits. */
    static SegmentLayout layout(ArrivedFingerprint print) {
        return isShort(print) ? LAYOUT : LONG_LAYOUT;
    }

    /** Whether a print as long as this one has entered. */
    boolean hasChains(ArrivedPrint print) {
        return count(print) <= chains(print).size();
    }

    /** The chain of those with the same band or segment. */
    Probe probe(ArrivedPrint print, int i) {
        KeyChains chains = chains(print).get(i);
        long value = switch (print) {
            case ArrivedFingerprint fingerprint -> segment(fingerprint, i);
            case ArrivedSketch sketch -> sketch.layout().key(sketch.sketch(), i);
            case ArrivedPassages passages -> throw new IllegalArgumentException("passages have no chains");
        };
        return new Probe(chains, (int) value & (chains.keys() - 1));
    }

    private static long segment(ArrivedFingerprint print, int i) {
        SegmentLayout layout = layout(print);
        return layout.value(print.hash() == null ? print.bits() : print.hash().word(layout.word(i)), i);
    }

    /** The chain of those with the same digest; null if there is none. */
    Probe ofDigest(ArrivedPrint print) {
        return print.hasDigest() && digests.isEmpty() == false ? new Probe(digests.getFirst(), key(print)) : null;
    }

    private static int key(ArrivedPrint print) {
        return (int) print.digest().low() & (KeyChains.KEYS - 1);
    }

    /**
     * The chains that lead to the entries within a distance, the shortest ones. Each component that differs spoils one band:
     * so one band more than the distance misses no entry. If a sketch has fewer bands, entries that share none are missed.
     *
     * @return null if only a comparison with each entry finds them
     */
    List<Probe> probes(ArrivedSketch wanted, int maxDistance) {
        if (wanted.layout() == null
                || wanted.scheme() == null // it tells the layout
                || unbanded > 0
                || maxDistance >= wanted.sketch().permutations()) {
            return null;
        }
        if (hasChains(wanted) == false) {
            return List.of();
        }
        List<Probe> probes = new ArrayList<>();
        for (int band = 0; band < count(wanted); band++) {
            probes.add(probe(wanted, band));
        }
        probes.sort(Comparator.comparingInt(Probe::count));
        return probes.subList(0, Math.min(count(wanted), maxDistance + 1));
    }
}
