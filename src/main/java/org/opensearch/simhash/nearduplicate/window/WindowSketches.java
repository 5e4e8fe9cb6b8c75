/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.simhash.fingerprint.LongHash;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedPassages;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedPrint;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedSketch;
import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.sketch.Sketch;

/**
 * The sketches of the {@link WindowEntries}, their terms of passages, or their hashes of more than 64 bits; and for each band or
 * segment the chains of entries with the same key. Takes nothing until the first one enters. One thread at a time.
 */
final class WindowSketches {

    private static final int FEWEST_KEYS = 1 << 10;

    /** Entries to a key: each band has arrays of this length, which a small window cannot pay. */
    private static final int ENTRIES_PER_KEY = 4;

    /** Two references. */
    private static final long BYTES_OF_SLOT = 2L * Integer.BYTES;

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
    private int keys;
    private int capacity;
    private Sketch[] sketches = {};
    private BandLayout[] layouts = {};
    /** Sketches without bands. */
    private int unbanded;

    private long sketchBytes;

    /** Empty until the first terms enter; null for entries without. */
    private long[][] terms = {};

    private long termBytes;

    /** Empty until the first hash enters; null for entries without. */
    private LongHash[] hashes = {};

    private final List<KeyChains> segments = new ArrayList<>();
    private long hashBytes;

    /** @param isGone as for {@link KeyChains} */
    WindowSketches(LongPredicate isGone) {
        this.isGone = isGone;
    }

    /** Bytes at another capacity. */
    long bytes(int capacity) {
        return (sketches.length == 0 ? 0 : sketchBytes + arrayBytes(bands.size(), capacity))
                + bytesOfTerms(capacity)
                + (hashes.length == 0 ? 0 : hashBytes + bytesOfHashes(segments.size(), capacity));
    }

    /** Bytes at a capacity once a print has entered. */
    long bytesWith(ArrivedPrint print, int capacity) {
        if (print instanceof ArrivedPassages passages) {
            return bytes(capacity)
                    + bytes(passages.terms())
                    + (terms.length == 0 ? (long) capacity * Integer.BYTES : 0);
        }
        if (print instanceof ArrivedFingerprint added && added.hash() != null) {
            int needed = Math.max(layout(added.hash()).count(), segments.size());
            long before = hashes.length == 0 ? 0 : bytesOfHashes(segments.size(), capacity);
            return bytes(capacity) + bytes(added.hash()) + bytesOfHashes(needed, capacity) - before;
        }
        if (print instanceof ArrivedSketch added && added.isWhole()) {
            int needed = added.layout() == null ? 0 : added.layout().bands();
            long before = sketches.length == 0 ? 0 : arrayBytes(bands.size(), capacity);
            return bytes(capacity)
                    + bytes(added.sketch())
                    + arrayBytes(Math.max(needed, bands.size()), capacity)
                    - before;
        }
        return bytes(capacity);
    }

    private long bytesOfTerms(int capacity) {
        return terms.length == 0 ? 0 : termBytes + (long) capacity * Integer.BYTES;
    }

    private static long bytesOfHashes(int segments, int capacity) {
        return chainBytes(segments, capacity) + (long) capacity * Integer.BYTES;
    }

    private static long arrayBytes(int bands, int capacity) {
        return chainBytes(bands, capacity) + capacity * BYTES_OF_SLOT;
    }

    private static long chainBytes(int count, int capacity) {
        return count * (KeyChains.fixedBytes(keys(capacity)) + (long) capacity * Integer.BYTES);
    }

    /** Of a band or a segment. */
    private static int keys(int capacity) {
        return Math.clamp(capacity / ENTRIES_PER_KEY, FEWEST_KEYS, KeyChains.KEYS);
    }

    private static long bytes(long[] ofEntry) {
        return RamUsageEstimator.sizeOf(ofEntry);
    }

    private static long bytes(LongHash hash) {
        return BYTES_OF_HASH + hash.length() / Byte.SIZE;
    }

    private static long bytes(Sketch sketch) {
        return BYTES_OF_SKETCH + sketch.bytes().length;
    }

    /** As {@link WindowFingerprints#resize}. */
    void resize(int newCapacity, long first, long next) {
        capacity = newCapacity;
        if (terms.length > 0) {
            terms = Rings.resized(terms, capacity, first, next);
        }
        if (hashes.length > 0) {
            hashes = Rings.resized(hashes, capacity, first, next);
        }
        if (sketches.length > 0) {
            sketches = Rings.resized(sketches, capacity, first, next);
            layouts = Rings.resized(layouts, capacity, first, next);
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

    /** Nothing for a print that has no such part. */
    void add(long number, ArrivedPrint print) {
        int slot = Rings.slot(number, capacity);
        if (print instanceof ArrivedPassages added) {
            terms = terms.length == 0 ? new long[capacity][] : terms;
            terms[slot] = added.terms();
            termBytes += bytes(added.terms());
        } else if (print instanceof ArrivedFingerprint added && added.hash() != null) {
            hashes = hashes.length == 0 ? new LongHash[capacity] : hashes;
            hashes[slot] = added.hash();
            hashBytes += bytes(added.hash());
            grow(segments, layout(added.hash()).count());
        } else if (print instanceof ArrivedSketch added && added.isWhole()) {
            if (sketches.length == 0) {
                sketches = new Sketch[capacity];
                layouts = new BandLayout[capacity];
            }
            sketches[slot] = added.sketch();
            layouts[slot] = added.layout();
            sketchBytes += bytes(added.sketch());
            unbanded += added.layout() == null ? 1 : 0;
            grow(bands, added.layout() == null ? 0 : added.layout().bands());
        }
        link(number);
    }

    private void grow(List<KeyChains> chains, int count) {
        while (chains.size() < count) {
            chains.add(new KeyChains(keys, capacity, isGone));
        }
    }

    private void link(long number) {
        int slot = Rings.slot(number, capacity);
        BandLayout layout = sketch(slot) == null ? null : layouts[slot];
        for (int band = 0; layout != null && band < layout.bands(); band++) {
            bands.get(band).add(number, key(layout, sketches[slot], band));
        }
        LongHash hash = hash(slot);
        for (int i = 0; hash != null && i < layout(hash).count(); i++) {
            segments.get(i).add(number, key(hash, i));
        }
    }

    /** As {@link WindowFingerprints#forget}. */
    void forget(int slot) {
        if (terms(slot) != null) {
            termBytes -= bytes(terms[slot]);
            terms[slot] = null;
        }
        LongHash hash = hash(slot);
        if (hash != null) {
            for (int i = 0; i < layout(hash).count(); i++) {
                segments.get(i).forget(key(hash, i));
            }
            hashBytes -= bytes(hash);
            hashes[slot] = null;
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

    /** The key of a hash in the chains of a segment. */
    int key(LongHash hash, int segment) {
        SegmentLayout layout = layout(hash);
        return (int) layout.value(hash.word(layout.word(segment)), segment) & (keys - 1);
    }

    /** Of more than 64 bits; null if the entry has none. */
    LongHash hash(int slot) {
        return hashes.length == 0 ? null : hashes[slot];
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
