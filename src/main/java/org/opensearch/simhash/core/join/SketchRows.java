/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.join.Fingerprints.DistinctFingerprints;
import org.opensearch.simhash.core.join.NearJoin.Search;
import org.opensearch.simhash.core.sketch.SketchWords;

/**
 * Rows with sketches: those of fingerprints, where a hash of the sketch stands in place of the bits, and beside them the
 * words of each sketch in {@link SketchPages}, on the heap or in a file. Sketches with one hash count as equal.
 *
 * <p>Memory: {@value #JOIN_BYTES} bytes a row, here and in a join with two threads, and on the heap or on the disk the words. Not
 * thread-safe.
 */
public final class SketchRows extends FingerprintRows {

    /** Of heap per row, beside its words. */
    public static final int JOIN_BYTES = 80;

    private final double minSimilarity;

    private final SketchPages pages;

    /** The place of each row's sketch; -1 where there is none. */
    private int[] places = new int[0];

    /** Numbers of components that sketches have; almost always one. */
    private final Set<Integer> permutations = new HashSet<>();

    private int lastPermutations;

    /**
     * @param expected about so many rows
     * @param minSimilarity least estimated similarity of a link
     * @param folder for a file; null for the heap
     */
    public SketchRows(int expected, double minSimilarity, Path folder, LongConsumer memory) {
        super(expected, memory);
        this.minSimilarity = minSimilarity;
        try {
            this.pages = new SketchPages(folder, account());
            reserve(expected);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Bytes of the words of sketches with so many components. */
    public static long wordBytes(int permutations) {
        return (long) SketchWords.length(permutations) * Long.BYTES;
    }

    /** The error of a join with more links than a job keeps. */
    public static IllegalArgumentException tooMany(long mostLinks, double minSimilarity) {
        return new IllegalArgumentException("[min_similarity] must be greater, so that there are at most " + mostLinks
                + " pairs of different sketches, got: " + minSimilarity);
    }

    private void reserve(int size) {
        if (size > places.length) {
            account().take((long) (size - places.length) * Integer.BYTES);
            int before = places.length;
            places = Arrays.copyOf(places, size);
            Arrays.fill(places, before, size, -1);
        }
    }

    @Override
    public void addSketch(long address, long hash, long digest, int stratum, long[] words, int at) {
        int row = size();
        add(address, hash, digest, stratum);
        if (row >= places.length) { // Rows without a sketch have none.
            reserve(row + Math.max(1_024, row / 4));
        }
        places[row] = pages.add(words, at, stratum);
        int components = SketchWords.permutations(words, at);
        if (components != lastPermutations) {
            permutations.add(components);
            lastPermutations = components;
        }
    }

    @Override
    DistinctFingerprints distinct() {
        pages.end();
        return new Sketches();
    }

    @Override
    public void close() {
        if (pages != null) { // else there was no room
            pages.close();
        }
        super.close();
    }

    /** Distinct sketches; their values are their hashes. */
    private final class Sketches extends DistinctFingerprints {

        Sketches() {
            super(SketchRows.this);
        }

        @Override
        public List<Search> searches(int distance, Runnable check) {
            return List.of(new BandSearch(this, pages, places, SketchRows.this.size(), permutations, minSimilarity));
        }

        @Override
        public void refuseTooMany(long mostLinks, int distance) {
            throw tooMany(mostLinks, minSimilarity);
        }

        @Override
        public boolean haveDistances() {
            return false;
        }
    }
}
