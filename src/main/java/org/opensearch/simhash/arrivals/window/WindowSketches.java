/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPassages;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;

/**
 * The sketches of the {@link WindowEntries}, their terms of passages, or their hashes of more than 64 bits; and for each band or
 * segment the chains of entries with the same key. Takes nothing until the first one enters. One thread at a time.
 */
final class WindowSketches {

    private static final int FEWEST_KEYS = 1 << 10;

    /** Entries to a key: each band has arrays of this length, which a small window cannot pay. */
    private static final int ENTRIES_PER_KEY = 4;

    private static final long BYTES_OF_PRINT = RamUsageEstimator.shallowSizeOfInstance(ArrivedFingerprint.class);

    private static final long BYTES_OF_HASH =
            RamUsageEstimator.shallowSizeOfInstance(LongHash.class) + RamUsageEstimator.NUM_BYTES_ARRAY_HEADER;

    private static final long BYTES_OF_SKETCH =
            RamUsageEstimator.shallowSizeOfInstance(Sketch.class) + RamUsageEstimator.NUM_BYTES_ARRAY_HEADER;

    /** A chain that leads to entries like a sketch. */
    record Probe(KeyChains chains, int key) {

        int count() {
            return chains.count(key);
        }
    }

    private final LongPredicate isGone;
    private final List<KeyChains> bands = new ArrayList<>();
    private final List<KeyChains> segments = new ArrayList<>();
    private int keys;
    private int capacity;
    /** Without digests and schemes. Empty until the first one enters; null for entries without. */
    private ArrivedPrint[] prints = {};

    private long printBytes;
    /** Sketches without bands. */
    private int unbanded;

    /** @param isGone as for {@link KeyChains} */
    WindowSketches(LongPredicate isGone) {
        this.isGone = isGone;
    }

    /** What is kept here of a print; null for a fingerprint of 64 bits, or none. */
    static ArrivedPrint kept(ArrivedPrint print) {
        return switch (print) {
            case ArrivedFingerprint longer ->
                longer.hash() == null
                        ? null
                        : new ArrivedFingerprint(longer.field(), false, 0, longer.hash(), null, null);
            case ArrivedSketch sketch ->
                sketch.isWhole()
                        ? new ArrivedSketch(sketch.field(), sketch.sketch(), sketch.layout(), null, null)
                        : null;
            case ArrivedPassages passages -> new ArrivedPassages(passages.field(), passages.terms(), null);
        };
    }

    /** Bytes at another capacity. */
    long bytes(int capacity) {
        return prints.length == 0
                ? 0
                : printBytes + bytesOfSlots(capacity) + chainBytes(bands.size() + segments.size(), capacity);
    }

    /** Bytes that a print adds at a capacity. */
    long bytesOf(ArrivedPrint print, int capacity) {
        ArrivedPrint kept = kept(print);
        return kept == null
                ? 0
                : bytes(kept)
                        + (prints.length == 0 ? bytesOfSlots(capacity) : 0)
                        + chainBytes(Math.max(0, count(kept) - chains(kept).size()), capacity);
    }

    private static long bytesOfSlots(int capacity) {
        return (long) capacity * Integer.BYTES;
    }

    private static long chainBytes(int count, int capacity) {
        return count * (KeyChains.fixedBytes(keys(capacity)) + (long) capacity * Integer.BYTES);
    }

    /** Of a band or a segment. */
    private static int keys(int capacity) {
        return Math.clamp(capacity / ENTRIES_PER_KEY, FEWEST_KEYS, KeyChains.KEYS);
    }

    private static long bytes(ArrivedPrint kept) {
        return BYTES_OF_PRINT
                + switch (kept) {
                    case ArrivedFingerprint longer ->
                        BYTES_OF_HASH + longer.hash().length() / Byte.SIZE;
                    case ArrivedSketch sketch ->
                        BYTES_OF_SKETCH + sketch.sketch().bytes().length;
                    case ArrivedPassages passages -> RamUsageEstimator.sizeOf(passages.terms());
                };
    }

    /** As {@link WindowFingerprints#resize}. */
    void resize(int newCapacity, long first, long next) {
        capacity = newCapacity;
        if (prints.length > 0) {
            prints = Rings.resized(prints, capacity, first, next);
        }
        if (keys == keys(capacity)) {
            bands.forEach(chains -> chains.resize(capacity, first, next));
            segments.forEach(chains -> chains.resize(capacity, first, next));
            return;
        }
        keys = keys(capacity);
        bands.replaceAll(chains -> new KeyChains(keys, capacity, isGone));
        segments.replaceAll(chains -> new KeyChains(keys, capacity, isGone));
        for (long number = first; number < next; number++) {
            link(number);
        }
    }

    /** Nothing for a print of which nothing is kept here. */
    void add(long number, ArrivedPrint print) {
        ArrivedPrint kept = kept(print);
        if (kept != null) {
            prints = prints.length == 0 ? new ArrivedPrint[capacity] : prints;
            prints[Rings.slot(number, capacity)] = kept;
            printBytes += bytes(kept);
            unbanded += isUnbanded(kept) ? 1 : 0;
            while (chains(kept).size() < count(kept)) {
                chains(kept).add(new KeyChains(keys, capacity, isGone));
            }
        }
        link(number);
    }

    private void link(long number) {
        ArrivedPrint kept = print(Rings.slot(number, capacity));
        for (int i = 0; kept != null && i < count(kept); i++) {
            chains(kept).get(i).add(number, key(kept, i));
        }
    }

    /** As {@link WindowFingerprints#forget}. */
    void forget(int slot) {
        ArrivedPrint kept = print(slot);
        if (kept != null) {
            for (int i = 0; i < count(kept); i++) {
                chains(kept).get(i).forget(key(kept, i));
            }
            unbanded -= isUnbanded(kept) ? 1 : 0;
            printBytes -= bytes(kept);
            prints[slot] = null;
        }
    }

    private static boolean isUnbanded(ArrivedPrint kept) {
        return kept instanceof ArrivedSketch && count(kept) == 0;
    }

    private List<KeyChains> chains(ArrivedPrint kept) {
        return kept instanceof ArrivedSketch ? bands : segments;
    }

    /** The number of bands, or of segments. */
    private static int count(ArrivedPrint kept) {
        return switch (kept) {
            case ArrivedFingerprint longer -> layout(longer.hash()).count();
            case ArrivedSketch sketch ->
                sketch.layout() == null ? 0 : sketch.layout().bands();
            case ArrivedPassages passages -> 0;
        };
    }

    /** Segments of 16 bits. */
    static SegmentLayout layout(LongHash hash) {
        return new SegmentLayout(SegmentLayout.USUAL * hash.words(), hash.words());
    }

    /** Number of segments with chains: those of the longest hash so far. */
    int segments() {
        return segments.size();
    }

    KeyChains segment(int segment) {
        return segments.get(segment);
    }

    /** The key in the chains of a band or a segment. */
    int key(ArrivedPrint kept, int i) {
        int key = switch (kept) {
            case ArrivedFingerprint longer -> {
                SegmentLayout layout = layout(longer.hash());
                yield (int) layout.value(longer.hash().word(layout.word(i)), i);
            }
            case ArrivedSketch sketch -> sketch.layout().key(sketch.sketch(), i);
            case ArrivedPassages passages -> throw new IllegalArgumentException("passages have no chains");
        };
        return key & (keys - 1);
    }

    /** Without digest and scheme; null if nothing is kept here of the entry. */
    ArrivedPrint print(int slot) {
        return prints.length == 0 ? null : prints[slot];
    }

    /** Whether the same is kept of two entries. */
    boolean areEqual(int one, int other) {
        return switch (print(one)) {
            case null -> print(other) == null;
            case ArrivedPassages passages ->
                print(other) instanceof ArrivedPassages others && Arrays.equals(passages.terms(), others.terms());
            case ArrivedPrint print -> print(other) != null && print.distance(print(other)) == 0;
        };
    }

    /**
     * The chains that lead to the entries within a distance, the shortest ones. Each component that differs spoils one band:
     * so one band more than the distance misses no entry. If a sketch has fewer bands, entries that share none are missed.
     *
     * @return null if only a comparison with each entry finds them
     */
    List<Probe> probes(ArrivedSketch wanted, int maxDistance) {
        BandLayout layout = wanted.layout();
        if (layout == null || unbanded > 0 || maxDistance >= wanted.sketch().permutations()) {
            return null;
        }
        if (bands.size() < layout.bands()) {
            return List.of();
        }
        List<Probe> probes = new ArrayList<>();
        for (int band = 0; band < layout.bands(); band++) {
            probes.add(new Probe(bands.get(band), key(wanted, band)));
        }
        probes.sort(Comparator.comparingInt(Probe::count));
        return probes.subList(0, Math.min(layout.bands(), maxDistance + 1));
    }
}
