/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/**
 * The variance of a sum over drawn documents. Pairs around one document are alike, so that the document is one observation.
 * Documents are the primary units of a stratified sample without replacement (Särndal, Swensson, Wretman, "Model Assisted Survey
 * Sampling", 1992, chapters 4 and 5).
 */
final class Clusters {

    private final int[] bands;
    private final int[] drawn;
    private final long[] population;

    Clusters(Sample sample) {
        this.bands = sample.bands().ofDrawn();
        this.drawn = sample.bands().drawn();
        this.population = sample.bands().population();
    }

    /** @param degrees of freedom */
    record Spread(double variance, double degrees) {}

    /** The share of a document's band that was drawn. */
    double fraction(int document) {
        return (double) drawn[bands[document]] / population[bands[document]];
    }

    /** @param values what each document adds to the sum, times its weight */
    Spread spread(double[] values) {
        double[] means = new double[drawn.length];
        for (int i = 0; i < values.length; i++) {
            means[bands[i]] += values[i] / drawn[bands[i]];
        }
        double variance = 0;
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            int n = drawn[bands[i]];
            double residual = n == 1 ? values[i] : values[i] - means[bands[i]];
            double part = (1 - fraction(i)) * n / Math.max(1, n - 1) * residual * residual;
            variance += part;
            squares += part * part;
        }
        return new Spread(variance, squares == 0 ? Double.POSITIVE_INFINITY : variance * variance / squares);
    }

    /** The largest number of documents that an undrawn document may stand for. */
    double largestUnseen() {
        double largest = 0;
        for (int band = 0; band < drawn.length; band++) {
            if (drawn[band] < population[band]) {
                largest = Math.max(largest, (double) (population[band] - drawn[band]) / Math.max(1, drawn[band]));
            }
        }
        return largest;
    }

    /** The number of equal documents that these are worth, if the next one may be as large as {@code unseen}. */
    static double effective(double sum, double squares, double unseen) {
        double next = sum + unseen;
        return next == 0 ? 0 : next * next / (squares + unseen * unseen) - (unseen == 0 ? 0 : 1);
    }
}
