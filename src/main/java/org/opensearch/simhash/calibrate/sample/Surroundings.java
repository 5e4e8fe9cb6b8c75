/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares all documents with the drawn ones, counts pairs by distance and chooses some pairs at each distance. Takes about a
 * nanosecond per comparison. One thread.
 */
public final class Surroundings {

    private static final byte FAR = Byte.MAX_VALUE;

    private final Draw draw;
    private final DensityTable densities;
    private final double[] weights;
    private final int maxDistance;
    private final long seed;
    private final int[][] counts;
    private final double[][] shares;
    private final PairChoice[] choices;
    private final Map<Long, Integer> numbers = new HashMap<>();

    /** Fingerprints of the drawn documents, sorted by stratum, and their owners. */
    private final long[] bits;

    private final int[] owners;
    /** The start of each stratum in {@code bits}, and the end. */
    private final int[] starts;

    /** Distances of the current document, and the drawn documents that it has one to. */
    private final byte[] distances;

    private final int[] met;
    private int meetings;
    private long compared;

    /**
     * @param densities that the documents were drawn by
     * @param pairs the most pairs to choose per distance
     */
    public Surroundings(Draw draw, DensityTable densities, int maxDistance, int pairs, long seed) {
        this.draw = draw;
        this.densities = densities;
        this.weights = draw.bands().weights();
        this.maxDistance = maxDistance;
        this.seed = seed;
        int size = draw.documents().size();
        this.counts = new int[size][maxDistance + 1];
        this.shares = new double[size][maxDistance + 1];
        this.choices = new PairChoice[maxDistance + 1];
        Arrays.setAll(choices, distance -> new PairChoice(pairs));
        this.distances = new byte[size];
        Arrays.fill(distances, FAR);
        this.met = new int[size];
        record Entry(int stratum, long bits, int owner) {}
        List<Entry> entries = new ArrayList<>();
        int strata = 0;
        for (int i = 0; i < size; i++) {
            Document document = draw.documents().get(i);
            numbers.put(document.address(), i);
            for (int k = 0; k < document.bits().length; k++) {
                entries.add(new Entry(document.strata()[k], document.bits()[k], i));
                strata = Math.max(strata, document.strata()[k] + 1);
            }
        }
        entries.sort(Comparator.comparingInt(Entry::stratum));
        this.bits = entries.stream().mapToLong(Entry::bits).toArray();
        this.owners = entries.stream().mapToInt(Entry::owner).toArray();
        this.starts = new int[strata + 1];
        entries.forEach(entry -> starts[entry.stratum() + 1]++);
        for (int stratum = 0; stratum < strata; stratum++) {
            starts[stratum + 1] += starts[stratum];
        }
    }

    /** In bytes of heap, with the results. */
    public static long bytes(int drawn, int maxDistance, int pairs) {
        return (long) drawn * (200 + (maxDistance + 1) * (Integer.BYTES + 2 * Double.BYTES))
                + (long) pairs * (maxDistance + 1) * 200;
    }

    public void add(Document document) {
        for (int k = 0; k < document.bits().length; k++) {
            compare(document.bits()[k], document.strata()[k]);
        }
        if (meetings == 0) {
            return;
        }
        double weight = draw.weightOfDensity()[densities.band(document)];
        for (int k = 0; k < meetings; k++) {
            int i = met[k];
            int distance = distances[i];
            distances[i] = FAR;
            if (draw.documents().get(i).address() != document.address()) {
                // A document that stands for few is seen for sure, one that stands for many only by chance: the first
                // counts more.
                double share = 2 * weight / (weights[i] + weight);
                counts[i][distance]++;
                shares[i][distance] += share;
                choose(i, document.address(), distance, weights[i] * share);
            }
        }
        meetings = 0;
    }

    private void compare(long value, int stratum) {
        if (stratum + 1 >= starts.length) {
            return;
        }
        int to = starts[stratum + 1];
        compared += to - starts[stratum];
        for (int k = starts[stratum]; k < to; k++) {
            int distance = Long.bitCount(value ^ bits[k]);
            if (distance <= maxDistance) {
                meet(owners[k], distance);
            }
        }
    }

    /** The nearest of several fingerprints counts. */
    private void meet(int i, int distance) {
        if (distances[i] == FAR) {
            met[meetings++] = i;
        }
        distances[i] = (byte) Math.min(distances[i], distance);
    }

    private void choose(int first, long other, int distance, double size) {
        Integer second = numbers.get(other);
        if (second != null && second < first) {
            return; // chosen from the other end, or not at all
        }
        long chance =
                Document.hash(Document.hash(seed, draw.documents().get(first).address()), other);
        choices[distance].add(first, second == null ? -1 : second, other, second == null ? size : 2 * size, chance);
    }

    /** By drawn document and distance. */
    public int[][] counts() {
        return counts;
    }

    /** Like counts, but each pair counts by its share for this document: 1 on average. Both shares of a pair add up to 2. */
    public double[][] shares() {
        return shares;
    }

    public long compared() {
        return compared;
    }

    public List<FoundPair> pairs() {
        List<FoundPair> pairs = new ArrayList<>();
        for (int distance = 0; distance <= maxDistance; distance++) {
            pairs.addAll(choices[distance].chosen(distance));
        }
        return pairs;
    }
}
