/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import org.opensearch.simhash.core.estimate.Estimates;

/**
 * The cost of a job at each distance: to read fingerprints, join them and compare texts. Costs in seconds use the speed of this
 * run. Costs by counts use that of a usual machine: the same seed chooses the same distance.
 *
 * @param joins nanoseconds of joins, by distance
 * @param pairs whose texts are compared, by distance
 * @param readNanos to read all fingerprints
 * @param pairNanos to compare the texts of a pair
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record JobCosts(double[] joins, double[] pairs, long fingerprinted, double readNanos, double pairNanos) {

    /** Nanoseconds on a usual machine: to read a fingerprint, to compare the texts of a pair. */
    private static final double FINGERPRINT = 1_300;

    private static final double TEXTS = 100_000;

    /**
     * How much cheaper a pair with too little similarity is. A job ends such comparisons early and reuses texts. Measured on
     * 300,000 documents of 200 words.
     */
    private static final double CHEAPER = 4;

    /**
     * Takes some ten milliseconds per distance.
     *
     * @param compared null, like {@code estimates}, if there was nothing to compare
     * @param lastOfJobs the last step of a job
     * @param threads of a join
     * @param check runs now and then; if it throws, the work ends
     */
    static JobCosts of(
            Readings readings,
            ComparedPairs compared,
            Estimates estimates,
            CalibrateOptions options,
            int lastOfJobs,
            int threads,
            Runnable check) {
        double[] joins = new double[lastOfJobs + 1];
        double[] pairs = new double[lastOfJobs + 1];
        for (int distance = 0; distance < joins.length; distance++) {
            check.run();
            joins[distance] = readings.costs().joinNanos(distance) / threads;
            pairs[distance] = estimates == null ? 0 : compared(estimates, distance, options.minSimilarity());
        }
        // A job reads one text of a pair, a calibration both.
        double ofPair = compared == null ? 0 : compared.nanosPerPair() / 2;
        return new JobCosts(joins, pairs, readings.fingerprinted(), readings.readNanos(), ofPair);
    }

    /** The pairs whose texts a job compares: each duplicate with its survivor, and those with too little similarity. */
    private static double compared(Estimates estimates, int distance, double minSimilarity) {
        Estimates.Remaining near = estimates.within(distance, minSimilarity);
        double others = Math.max(0, estimates.within(distance).pairs() - near.pairs());
        return near.duplicates() + others / CHEAPER;
    }

    /** The estimated time of a job. */
    double seconds(int distance, boolean verify) {
        return nanos(distance, readNanos, verify ? pairNanos : 0) / 1e9;
    }

    /** For comparing distances. */
    double byCounts(int distance) {
        return nanos(distance, FINGERPRINT * fingerprinted, TEXTS);
    }

    private double nanos(int distance, double read, double pair) {
        return read + joins[distance] + pair * pairs[distance];
    }
}
