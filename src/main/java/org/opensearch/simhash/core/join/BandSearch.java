/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.JoinBands;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.sketch.SketchWords;

/**
 * Finds the links of sketches: sorts them by one band of components after the other, and compares those with an equal band
 * (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, chapter 3). A pair belongs to the first band in which it is compared. A
 * thread takes one band at a time. Links have no distance.
 *
 * <p>Memory: 8 bytes a sketch, and 20 for each thread. Links of the least similarity are missed at most once in a million.
 */
final class BandSearch implements Search {

    private static final int DIGIT = 11;
    private static final int DIGITS = 1 << DIGIT;
    private static final int PAIRS_BETWEEN_CHECKS = 1 << 20;
    private static final int SKETCHES_BETWEEN_CHECKS = 1 << 16;

    private final Fingerprints hashes;
    private final Column words;

    /** By the number of components. */
    private final Map<Integer, Cut> cuts = new HashMap<>();

    /** @param least agreeing components of a link */
    private record Cut(JoinBands bands, int least) {}

    BandSearch(Fingerprints hashes, double minSimilarity) {
        this.hashes = hashes;
        this.words = hashes.rows().words();
        for (int some : hashes.rows().components()) {
            cuts.put(some, new Cut(JoinBands.of(minSimilarity, some), Sketch.leastAgreeing(minSimilarity, some)));
        }
    }

    @Override
    public void run(LinkCollector links, Limits limits) {
        try (Account memory = new Account(limits.memory())) {
            memory.take((long) hashes.size() * Long.BYTES);
            long[] places = new long[hashes.size()];
            Arrays.setAll(places, number -> (long) hashes.words(number) << Integer.SIZE | number);
            Arrays.sort(places);
            int bands = cuts.values().stream()
                    .mapToInt(cut -> cut.bands.count())
                    .max()
                    .orElse(0);
            ParallelUnits units = new ParallelUnits(bands);
            long fitting = (limits.room() - limits.memory().taken()) / Math.max(1, threadBytes() + links.partBytes());
            int threads = Math.clamp(fitting, 1, Math.min(limits.maxThreads(), Math.max(1, bands)));
            List<Searcher> searchers = Search.forThreads(threads, thread -> {
                memory.take(threadBytes());
                return new Searcher(places, links.part(thread), limits.progress());
            });
            searchers.forEach(searcher -> units.addRunner(searcher::run));
            units.await(limits.executor(), () -> limits.progress().accept(0));
        }
    }

    /** Of heap: the keys twice, and what is checked. */
    private long threadBytes() {
        return (2L * Long.BYTES + Integer.BYTES) * hashes.size();
    }

    /** Searches one band at a time. One thread. */
    private final class Searcher {

        /** Where the words of each sketch begin, and in the lower half its number: in the order of the words. */
        private final long[] places;

        private final LinkCollector.Part links;
        private final LongConsumer progress;
        private final long[] one = new long[SketchWords.length(BandLayout.MAX_PERMUTATIONS)];
        private final long[] other = new long[one.length];

        /** The key of a band, and the number of a sketch. */
        private long[] keys = new long[0];

        private long[] spare = new long[0];

        /** By number, components of the band's check, one a byte; all equal for bands without. */
        private int[] checks = new int[0];

        private long compared;

        Searcher(long[] places, LinkCollector.Part links, LongConsumer progress) {
            this.places = places;
            this.links = links;
            this.progress = progress;
        }

        void run(int band) {
            if (keys.length == 0) {
                keys = new long[hashes.size()];
                spare = new long[hashes.size()];
                checks = new int[hashes.size()];
            }
            int count = readKeys(band);
            sort(count);
            for (int start = 0; start < count; ) {
                int end = start + 1;
                while (end < count && keys[end] >>> Integer.SIZE == keys[start] >>> Integer.SIZE) {
                    end++;
                }
                for (int i = start; i < end - 1; i++) {
                    boolean isRead = false;
                    int check = checks[(int) keys[i]];
                    for (int j = i + 1; j < end; j++) {
                        if (agreesAnywhere(check, checks[(int) keys[j]])) {
                            if (isRead == false) {
                                read(hashes.words((int) keys[i]), one);
                                isRead = true;
                            }
                            compare((int) keys[i], (int) keys[j], band);
                        }
                        step();
                    }
                }
                start = end;
            }
            progress.accept(compared);
            compared = 0;
        }

        private void read(int place, long[] sketch) {
            sketch[0] = words.get(place);
            words.get(place + 1, sketch, 1, SketchWords.length(SketchWords.permutations(sketch, 0)) - 1);
        }

        private int readKeys(int band) {
            int count = 0;
            for (int i = 0; i < places.length; i++) {
                if (i % SKETCHES_BETWEEN_CHECKS == 0) {
                    progress.accept(0);
                }
                read((int) (places[i] >>> Integer.SIZE), one);
                JoinBands bands = cuts.get(SketchWords.permutations(one, 0)).bands;
                if (band < bands.count()) {
                    int number = (int) places[i];
                    long components = SketchWords.band(one, 0, band * bands.length(), bands.length());
                    int key = SketchWords.key(components, SketchWords.label(one, 0));
                    keys[count++] = (long) key << Integer.SIZE | number;
                    checks[number] = check(one, bands, band);
                }
            }
            return count;
        }

        /** Sorts by the upper half, eleven bits at a time. */
        private void sort(int count) {
            for (int shift = Integer.SIZE; shift < Long.SIZE; shift += DIGIT) {
                int[] starts = new int[DIGITS + 1];
                for (int i = 0; i < count; i++) {
                    starts[1 + digit(keys[i], shift)]++;
                }
                for (int digit = 0; digit < DIGITS; digit++) {
                    starts[digit + 1] += starts[digit];
                }
                for (int i = 0; i < count; i++) {
                    spare[starts[digit(keys[i], shift)]++] = keys[i];
                }
                long[] sorted = spare;
                spare = keys;
                keys = sorted;
            }
        }

        private static int digit(long key, int shift) {
            return (int) (key >>> shift) & DIGITS - 1;
        }

        /** Whether one of four bytes is equal (Warren, Hacker's Delight, 2012, 6-1). */
        private static boolean agreesAnywhere(int a, int b) {
            int differing = a ^ b;
            return ((differing - 0x0101_0101) & ~differing & 0x8080_8080) != 0;
        }

        private void step() {
            if (++compared == PAIRS_BETWEEN_CHECKS) {
                progress.accept(compared);
                compared = 0;
            }
        }

        /** @param a the sketch that {@link #one} has read */
        private void compare(int a, int b, int band) {
            if (links.wants(a, b) == false) {
                return;
            }
            read(hashes.words(b), other);
            if (one[0] != other[0]) {
                return; // Of another stratum, with the same key by chance.
            }
            Cut cut = cuts.get(SketchWords.permutations(one, 0));
            if (sharesEarlier(cut.bands, band) == false && SketchWords.agreeing(one, 0, other, 0) >= cut.least) {
                links.add(Math.min(a, b), Math.max(a, b), -1);
            }
        }

        /** Whether the pair was compared in an earlier band. */
        private boolean sharesEarlier(JoinBands bands, int band) {
            int length = bands.length();
            for (int earlier = 0; earlier < band; earlier++) {
                if (SketchWords.band(one, 0, earlier * length, length)
                                == SketchWords.band(other, 0, earlier * length, length)
                        && agreesAnywhere(check(one, bands, earlier), check(other, bands, earlier))) {
                    return true;
                }
            }
            return false;
        }

        /** Components that the two must not all differ in, one a byte; 0 for bands without a check. */
        private static int check(long[] sketch, JoinBands bands, int band) {
            return bands.isChecked() ? (int) SketchWords.band(sketch, 0, bands.checked(band), JoinBands.CHECKED) : 0;
        }
    }
}
