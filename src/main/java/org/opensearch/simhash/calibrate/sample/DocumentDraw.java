/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * Draws documents while all of them pass by: of each band those with the smallest hashes, so that the same seed draws the same ones.
 * Half of the draws go to bands by their documents, half by the pairs that are expected there: else a crowd of one document in a
 * thousand, which has most of the pairs, would be seen by chance or not at all. One thread.
 */
public final class DocumentDraw {

    private static final int FEWEST_OF_BAND = 2;

    /** Bands above that of most documents, which a document may get into by chance alone. */
    private static final int BY_CHANCE = 1;

    /** A document and its place in a queue. */
    private static final int BYTES = 150;

    private final DensityTable densities;
    private final int size;
    private final long seed;
    private final LongConsumer memory;
    private final long[] population = new long[DensityTable.BANDS];
    private final List<PriorityQueue<Candidate>> bands = new ArrayList<>();

    private record Candidate(long hash, Document document) {}

    /**
     * None drawn yet.
     *
     * @param size how many are drawn at most
     * @param memory pays for those that are kept
     */
    public DocumentDraw(DensityTable densities, int size, long seed, LongConsumer memory) {
        this.densities = densities;
        this.size = size;
        this.seed = seed;
        this.memory = memory;
        for (int band = 0; band < DensityTable.BANDS; band++) {
            bands.add(new PriorityQueue<>(LARGEST_FIRST));
        }
    }

    private static final Comparator<Candidate> SMALLEST_FIRST =
            Comparator.comparingLong(Candidate::hash).thenComparingLong(candidate -> candidate.document.address());

    private static final Comparator<Candidate> LARGEST_FIRST = SMALLEST_FIRST.reversed();

    /** The next document. */
    public void add(Document document) {
        int band = densities.band(document);
        population[band]++;
        Candidate candidate = new Candidate(Document.hash(seed, document.address()), document);
        PriorityQueue<Candidate> kept = bands.get(band);
        if (kept.size() < size) {
            memory.accept(BYTES);
            kept.add(candidate);
        } else if (LARGEST_FIRST.compare(candidate, kept.peek()) > 0) {
            kept.poll();
            kept.add(candidate);
        }
    }

    /** Those that were drawn, when all have passed. */
    public Draw draw() {
        int bandsWithDocuments = 0;
        for (long documents : population) {
            bandsWithDocuments += documents > 0 ? 1 : 0;
        }
        return size < FEWEST_OF_BAND * bandsWithDocuments ? evenly() : byBands();
    }

    /** Too few draws to look into each band. */
    private Draw evenly() {
        List<Candidate> all = new ArrayList<>();
        bands.forEach(all::addAll);
        all.sort(SMALLEST_FIRST);
        List<Document> documents =
                all.stream().limit(size).map(Candidate::document).toList();
        long[] whole = {Arrays.stream(population).sum()};
        double[] weights = new double[population.length];
        Arrays.fill(weights, (double) whole[0] / documents.size());
        return new Draw(documents, new Bands(whole, new int[documents.size()]), weights);
    }

    private Draw byBands() {
        int[] wanted = allocation();
        List<Document> documents = new ArrayList<>();
        int[] ofDrawn = new int[Arrays.stream(wanted).sum()];
        double[] weights = new double[wanted.length];
        for (int band = 0; band < wanted.length; band++) {
            weights[band] = wanted[band] == 0 ? 0 : (double) population[band] / wanted[band];
            List<Candidate> kept = new ArrayList<>(bands.get(band));
            kept.sort(SMALLEST_FIRST);
            for (Candidate candidate : kept.subList(0, wanted[band])) {
                ofDrawn[documents.size()] = band;
                documents.add(candidate.document);
            }
        }
        return new Draw(documents, new Bands(population, ofDrawn), weights);
    }

    /** One draw after the other to the band that has the fewest for its share. */
    private int[] allocation() {
        double[] shares = shares();
        int[] drawn = new int[population.length];
        int left = size;
        for (int band = 0; band < drawn.length; band++) {
            drawn[band] = (int) Math.min(Math.min(population[band], FEWEST_OF_BAND), left);
            left -= drawn[band];
        }
        for (int next = neediest(shares, drawn); left > 0 && next >= 0; next = neediest(shares, drawn)) {
            drawn[next]++;
            left--;
        }
        return drawn;
    }

    private int neediest(double[] shares, int[] drawn) {
        int next = -1;
        double most = 0;
        for (int band = 0; band < drawn.length; band++) {
            double need = shares[band] / (drawn[band] + 1);
            if (drawn[band] < population[band] && need > most) {
                most = need;
                next = band;
            }
        }
        return next;
    }

    /** Of the draws: half by documents, half by what they share beyond what most documents share. */
    private double[] shares() {
        long documents = Arrays.stream(population).sum();
        int middle = 0;
        for (long below = population[0]; 2 * below < documents; below += population[middle]) {
            middle++;
        }
        double[] crowded = new double[population.length];
        for (int band = middle + BY_CHANCE + 1; band < crowded.length; band++) {
            crowded[band] = population[band] * (DensityTable.sharing(band) - DensityTable.sharing(middle));
        }
        double pairs = Arrays.stream(crowded).sum();
        double[] shares = new double[population.length];
        for (int band = 0; band < shares.length; band++) {
            shares[band] = (double) population[band] / documents + (pairs == 0 ? 0 : crowded[band] / pairs);
        }
        return shares;
    }
}
