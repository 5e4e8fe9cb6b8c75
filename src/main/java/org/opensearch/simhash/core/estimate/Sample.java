/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import java.util.List;
import org.opensearch.simhash.core.sample.Draw;

/**
 * What was seen of an index: random documents, the counts of all pairs around them, and some compared pairs. Pairs around one
 * document are alike, so that the document is one observation: documents are the primary units of a stratified sample without
 * replacement (Särndal, Swensson, Wretman, "Model Assisted Survey Sampling", 1992, chapters 4 and 5).
 *
 * @param shares by drawn document and distance: how many other documents are so far away. Each counts by its share of the pair: a pair
 *     has two shares, one from each of its documents, which add up to 2
 * @param seen compared pairs, random ones at each distance
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Sample(Draw.Bands bands, double[][] shares, List<Pair> seen) {

    /**
     * A pair whose texts were compared, as {@code Surroundings} chose it; {@code second} is -1 if only the first was drawn.
     *
     * @param size documents of the index that the drawn ends stand for
     * @param weight the size, times the pairs at this distance that were not compared; at least the size
     */
    public record Pair(
            int first,
            int second,
            long other,
            int distance,
            double size,
            double weight,
            double similarity,
            boolean isNear) {

        /** How often the pair was found. */
        int ends() {
            return second < 0 ? 1 : 2;
        }

        /** Adds a value to the documents that the pair was found from, each its part. */
        void spread(double value, double[] byDocument) {
            byDocument[first] += value / ends();
            if (second >= 0) {
                byDocument[second] += value / ends();
            }
        }
    }

    /** The variance of a sum over drawn documents, and its degrees of freedom. */
    record Spread(double variance, double degrees) {}

    int drawn() {
        return shares.length;
    }

    int distances() {
        return drawn() == 0 ? 0 : shares[0].length;
    }

    /** The share of a document's band that was drawn. */
    double fraction(int document) {
        int band = bands.ofDrawn()[document];
        return (double) bands.drawn()[band] / bands.population()[band];
    }

    /** @param values what each document adds to the sum, times its weight */
    Spread spread(double[] values) {
        int[] drawn = bands.drawn();
        double[] means = new double[drawn.length];
        for (int i = 0; i < values.length; i++) {
            int band = bands.ofDrawn()[i];
            means[band] += values[i] / drawn[band];
        }
        double variance = 0;
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            int band = bands.ofDrawn()[i];
            int n = drawn[band];
            double residual = n == 1 ? values[i] : values[i] - means[band];
            double part = (1 - (double) n / bands.population()[band]) * n / Math.max(1, n - 1) * residual * residual;
            variance += part;
            squares += part * part;
        }
        return new Spread(variance, squares == 0 ? Double.POSITIVE_INFINITY : variance * variance / squares);
    }

    /** The largest number of documents that an undrawn document may stand for. */
    double largestUnseen() {
        int[] drawn = bands.drawn();
        double largest = 0;
        for (int band = 0; band < drawn.length; band++) {
            double undrawn = bands.population()[band] - drawn[band];
            largest = Math.max(largest, undrawn / Math.max(1, drawn[band]));
        }
        return largest;
    }
}
