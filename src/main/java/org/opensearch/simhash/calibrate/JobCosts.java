/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import org.opensearch.simhash.calibrate.estimate.Estimates;
import org.opensearch.simhash.calibrate.estimate.Remaining;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;

/**
 * What a job that compares texts would cost at each distance that a job takes: it reads the fingerprints, joins them, and compares the texts of
 * pairs, of which it reads one, while a calibration reads both. In seconds by the speed of this run; and by counts alone, so that the same seed always chooses the same distance.
 */
final class JobCosts {

    /** Nanoseconds to read a fingerprint, and to compare the texts of a pair, on a usual machine. */
    private static final double FINGERPRINT = 1_300;

    private static final double TEXTS = 100_000;

    /**
     * How much cheaper a pair is that is not similar: a job ends its comparison early, and where such pairs are many a text that is
     * read is compared with several others. Measured on 300,000 documents of 200 words.
     */
    private static final double CHEAPER = 4;

    private final double[] joins;
    private final double[] pairs;
    private final long fingerprinted;
    private final double readNanos;
    private final double textNanos;

    private JobCosts(double[] joins, double[] pairs, long fingerprinted, double readNanos, double textNanos) {
        this.joins = joins;
        this.pairs = pairs;
        this.fingerprinted = fingerprinted;
        this.readNanos = readNanos;
        this.textNanos = textNanos;
    }

    /**
     * Computes what joins would cost, some ten milliseconds for each distance.
     *
     * @param compared null, as the estimates, where there was nothing to compare
     * @param threads of a join
     * @param check is run now and then; what it throws ends the work
     */
    static JobCosts of(
            Readings readings,
            ComparedPairs compared,
            Estimates estimates,
            CalibrateOptions options,
            int threads,
            Runnable check) {
        int most = Math.min(options.maxDistance(), DeduplicateOptions.MAX_DISTANCE);
        double[] joins = new double[most + 1];
        double[] pairs = new double[most + 1];
        for (int distance = 0; distance < joins.length; distance++) {
            check.run();
            joins[distance] = readings.fingerprints().joinNanos(distance) / threads;
            pairs[distance] = estimates == null ? 0 : compared(estimates, distance, options.minSimilarity());
        }
        double ofPair = compared == null ? 0 : compared.nanosPerPair() / 2;
        return new JobCosts(joins, pairs, readings.fingerprinted(), readings.readNanos(), ofPair);
    }

    /** Pairs whose texts a job compares: each duplicate with its survivor, and those that are not similar. */
    private static double compared(Estimates estimates, int distance, double minSimilarity) {
        Remaining near = estimates.within(distance, minSimilarity);
        double others = Math.max(0, estimates.within(distance).pairs() - near.pairs());
        return near.duplicates() + others / CHEAPER;
    }

    /** About how long a job takes, in seconds. */
    double seconds(int distance) {
        return (readNanos + joins[distance] + textNanos * pairs[distance]) / 1e9;
    }

    /** The same of a job that compares no texts. */
    double secondsWithoutTexts(int distance) {
        return (readNanos + joins[distance]) / 1e9;
    }

    /** To compare distances by. */
    double byCounts(int distance) {
        return FINGERPRINT * fingerprinted + joins[distance] + TEXTS * pairs[distance];
    }
}
