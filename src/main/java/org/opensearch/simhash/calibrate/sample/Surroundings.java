/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares all documents with those drawn: counts how many are at each distance, and chooses some pairs of each. About a nanosecond
 * for each document and each one drawn. One thread.
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

    /** Fingerprints of the drawn documents, those of a stratum beside one another, and whose they are. */
    private final long[] bits;

    private final int[] owners;
    /** By stratum where its fingerprints begin, and end. */
    private final int[] starts;

    /** Of the document that is compared: its distances, and to which drawn documents it has any. */
    private final byte[] distances;

    private final int[] met;
    private int meetings;
    private long compared;

    /**
     * Nothing compared yet.
     *
     * @param densities that the documents were drawn by
     * @param pairs how many pairs of each distance are chosen at most
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

    /** What it takes of the heap, and what is made of it. */
    public static long bytes(int drawn, int maxDistance, int pairs) {
        return (long) drawn * (200 + (maxDistance + 1) * (Integer.BYTES + 2 * Double.BYTES))
                + (long) pairs * (maxDistance + 1) * 200;
    }

    /** The next document. */
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
                // What stands for few documents is seen for sure, what stands for many by chance: the first counts
                // more.
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

    /** Of several fingerprints of a document the nearest counts. */
    private void meet(int i, int distance) {
        if (distances[i] == FAR) {
            met[meetings++] = i;
        }
        distances[i] = (byte) Math.min(distances[i], distance);
    }

    private void choose(int first, long other, int distance, double size) {
        Integer second = numbers.get(other);
        if (second != null && second < first) {
            return; // chosen from there, or not
        }
        long chance =
                Document.hash(Document.hash(seed, draw.documents().get(first).address()), other);
        choices[distance].add(first, second == null ? -1 : second, other, second == null ? size : 2 * size, chance);
    }

    /** By drawn document how many others are at each distance. */
    public int[][] counts() {
        return counts;
    }

    /**
     * The same, each by the part of the pair that counts as found from here: 1 on average, and twice that part where both documents
     * stand for different numbers. Both parts of a pair are 2 together.
     */
    public double[][] shares() {
        return shares;
    }

    /** Pairs of fingerprints that were compared. */
    public long compared() {
        return compared;
    }

    /** The pairs that were chosen, by distance. */
    public List<FoundPair> pairs() {
        List<FoundPair> pairs = new ArrayList<>();
        for (int distance = 0; distance <= maxDistance; distance++) {
            pairs.addAll(choices[distance].chosen(distance));
        }
        return pairs;
    }
}
