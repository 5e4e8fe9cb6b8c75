/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * Draws documents in one pass: those with the smallest hashes of each band, so that a seed always draws the same. Half of the
 * draws go to bands by their documents, half by their expected pairs. Otherwise one document in a thousand, all near each other
 * and so with most of the pairs, would hardly be seen. One thread.
 */
public final class DocumentDraw {

    private static final int FEWEST_OF_BAND = 2;

    /** A document may be this many bands above most documents by chance. */
    private static final int BY_CHANCE = 1;

    private static final int BYTES = 150;

    private final DensityTable densities;
    private final int size;
    private final long seed;
    private final LongConsumer memory;
    private final long[] population = new long[DensityTable.BANDS];
    private final List<PriorityQueue<Candidate>> bands = new ArrayList<>();

    private record Candidate(long hash, Document document) {}

    /** @param size the most documents to draw */
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

    public void add(Document document) {
        int band = densities.band(document);
        population[band]++;
        Candidate candidate = new Candidate(Document.hash(seed, document.address()), document);
        PriorityQueue<Candidate> kept = bands.get(band);
        if (kept.size() < size) {
            memory.accept(BYTES + (long) Long.BYTES * document.bits().length);
            kept.add(candidate);
        } else if (LARGEST_FIRST.compare(candidate, kept.peek()) > 0) {
            kept.poll();
            kept.add(candidate);
        }
    }

    /** Call it after the last document. */
    public Draw draw() {
        long bandsWithDocuments =
                Arrays.stream(population).filter(documents -> documents > 0).count();
        return size < FEWEST_OF_BAND * bandsWithDocuments ? evenly() : byBands();
    }

    /** For too few draws to give each band some. */
    private Draw evenly() {
        List<Candidate> all = new ArrayList<>();
        bands.forEach(all::addAll);
        all.sort(SMALLEST_FIRST);
        List<Document> documents =
                all.stream().limit(size).map(Candidate::document).toList();
        long[] whole = {Arrays.stream(population).sum()};
        double[] weights = new double[population.length];
        Arrays.fill(weights, (double) whole[0] / documents.size());
        return new Draw(documents, new Draw.Bands(whole, new int[documents.size()]), weights);
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
        return new Draw(documents, new Draw.Bands(population, ofDrawn), weights);
    }

    /** Each draw goes to the band that lacks most of its share. */
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
        double greatestNeed = 0;
        for (int band = 0; band < drawn.length; band++) {
            double need = shares[band] / (drawn[band] + 1);
            if (drawn[band] < population[band] && need > greatestNeed) {
                greatestNeed = need;
                next = band;
            }
        }
        return next;
    }

    /** Half by documents, half by what these share beyond most documents. */
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
        Arrays.setAll(shares, band -> (double) population[band] / documents + (pairs == 0 ? 0 : crowded[band] / pairs));
        return shares;
    }
}
