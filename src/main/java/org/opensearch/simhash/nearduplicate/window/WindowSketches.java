/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedPassages;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedPrint;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedSketch;
import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.sketch.Sketch;

/**
 * The sketches of the {@link WindowEntries}, or their terms of passages; and for each band the chains of entries with the same key.
 * Takes nothing until the first sketch enters. One thread at a time.
 */
final class WindowSketches {

    private static final int FEWEST_KEYS = 1 << 10;

    /** Entries to a key: each band has arrays of this length, which a small window cannot pay. */
    private static final int ENTRIES_PER_KEY = 4;

    /** Two references. */
    private static final long BYTES_OF_SLOT = 2L * Integer.BYTES;

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
    private int keys;
    private Sketch[] sketches = {};
    private BandLayout[] layouts = {};
    /** Sketches without bands. */
    private int unbanded;

    private long sketchBytes;

    /** Empty until the first terms enter; null for entries without. */
    private long[][] terms = {};

    private long termBytes;

    /** @param isGone as for {@link KeyChains} */
    WindowSketches(LongPredicate isGone) {
        this.isGone = isGone;
    }

    /** Bytes at another capacity. */
    long bytes(int capacity) {
        return (sketches.length == 0 ? 0 : sketchBytes + arrayBytes(bands.size(), capacity)) + bytesOfTerms(capacity);
    }

    /** Bytes at a capacity once a print has entered. */
    long bytesWith(ArrivedPrint print, int capacity) {
        if (print instanceof ArrivedPassages passages) {
            return bytes(capacity)
                    + bytes(passages.terms())
                    + (terms.length == 0 ? (long) capacity * Integer.BYTES : 0);
        }
        if (print instanceof ArrivedSketch added && added.isWhole()) {
            int needed = added.layout() == null ? 0 : added.layout().bands();
            return sketchBytes
                    + bytes(added.sketch())
                    + arrayBytes(Math.max(needed, bands.size()), capacity)
                    + bytesOfTerms(capacity);
        }
        return bytes(capacity);
    }

    private long bytesOfTerms(int capacity) {
        return terms.length == 0 ? 0 : termBytes + (long) capacity * Integer.BYTES;
    }

    private static long arrayBytes(int bands, int capacity) {
        return bands * (KeyChains.fixedBytes(keys(capacity)) + (long) capacity * Integer.BYTES)
                + capacity * BYTES_OF_SLOT;
    }

    /** Of a band. */
    private static int keys(int capacity) {
        return Math.clamp(capacity / ENTRIES_PER_KEY, FEWEST_KEYS, KeyChains.KEYS);
    }

    private static long bytes(long[] ofEntry) {
        return RamUsageEstimator.sizeOf(ofEntry);
    }

    private static long bytes(Sketch sketch) {
        return BYTES_OF_SKETCH + sketch.bytes().length;
    }

    /** As {@link WindowFingerprints#resize}. */
    void resize(int capacity, long first, long next) {
        if (terms.length > 0) {
            terms = Rings.resized(terms, capacity, first, next);
        }
        if (sketches.length == 0) {
            return;
        }
        sketches = Rings.resized(sketches, capacity, first, next);
        layouts = Rings.resized(layouts, capacity, first, next);
        if (keys == keys(capacity)) {
            bands.forEach(chains -> chains.resize(capacity, first, next));
            return;
        }
        keys = keys(capacity);
        bands.replaceAll(chains -> new KeyChains(keys, capacity, isGone));
        for (long number = first; number < next; number++) {
            link(number);
        }
    }

    void add(long number, ArrivedPassages added, int capacity) {
        if (terms.length == 0) {
            terms = new long[capacity][];
        }
        terms[Rings.slot(number, capacity)] = added.terms();
        termBytes += bytes(added.terms());
    }

    void add(long number, ArrivedSketch added, int capacity) {
        if (sketches.length == 0) {
            sketches = new Sketch[capacity];
            layouts = new BandLayout[capacity];
            keys = keys(capacity);
        }
        int slot = Rings.slot(number, capacity);
        Sketch sketch = added.sketch();
        BandLayout layout = added.layout();
        sketches[slot] = sketch;
        layouts[slot] = layout;
        sketchBytes += bytes(sketch);
        if (layout == null) {
            unbanded++;
            return;
        }
        while (bands.size() < layout.bands()) {
            bands.add(new KeyChains(keys, capacity, isGone));
        }
        link(number);
    }

    private void link(long number) {
        int slot = Rings.slot(number, sketches.length);
        BandLayout layout = layouts[slot];
        if (layout != null) {
            for (int band = 0; band < layout.bands(); band++) {
                bands.get(band).add(number, key(layout, sketches[slot], band));
            }
        }
    }

    /** As {@link WindowFingerprints#forget}. */
    void forget(int slot) {
        if (terms(slot) != null) {
            termBytes -= bytes(terms[slot]);
            terms[slot] = null;
        }
        Sketch sketch = sketch(slot);
        if (sketch == null) {
            return;
        }
        BandLayout layout = layouts[slot];
        if (layout == null) {
            unbanded--;
        } else {
            for (int band = 0; band < layout.bands(); band++) {
                bands.get(band).forget(key(layout, sketch, band));
            }
        }
        sketchBytes -= bytes(sketch);
        sketches[slot] = null;
        layouts[slot] = null;
    }

    private int key(BandLayout layout, Sketch sketch, int band) {
        return layout.key(sketch, band) & (keys - 1);
    }

    /** Of passages; null if the entry has none. */
    long[] terms(int slot) {
        return terms.length == 0 ? null : terms[slot];
    }

    /** Null if the entry has none. */
    Sketch sketch(int slot) {
        return sketches.length == 0 ? null : sketches[slot];
    }

    /** Null if the entry has no bands. */
    BandLayout layout(int slot) {
        return layouts[slot];
    }

    /**
     * The chains that lead to the entries within a distance, the shortest ones. Each component that differs spoils one band:
     * so one band more than the distance misses no entry. If a sketch has fewer bands, entries that share none are missed.
     *
     * @return null if only a comparison with each entry finds them
     */
    List<Probe> probes(ArrivedSketch wanted, int maxDistance) {
        BandLayout layout = wanted.layout();
        // The scheme tells the layout.
        if (layout == null
                || wanted.scheme() == null
                || unbanded > 0
                || maxDistance >= wanted.sketch().permutations()) {
            return null;
        }
        if (bands.size() < layout.bands()) {
            return List.of();
        }
        List<Probe> probes = new ArrayList<>();
        for (int band = 0; band < layout.bands(); band++) {
            probes.add(new Probe(bands.get(band), key(layout, wanted.sketch(), band)));
        }
        probes.sort(Comparator.comparingInt(Probe::count));
        return probes.subList(0, Math.min(layout.bands(), maxDistance + 1));
    }
}
