/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.sample.SketchSteps;

/**
 * The steps of a calibration, for readers and for jobs: bits of distance, or estimated similarities from 1 down. A step is a
 * distance in this package.
 *
 * @param mostOfJobs the last step that a job can use
 */
public record Steps(boolean areSketches, int mostOfJobs) {

    public static final Steps OF_BITS = new Steps(false, MaxDistance.MOST_OF_JOBS);
    public static final Steps OF_SKETCHES = new Steps(true, SketchSteps.LAST);

    /** An estimate of 0.7: a pair with a similarity of 0.8 has that and more 998 of 1,000 times. */
    private static final int DEFAULT_OF_SKETCHES = 6;

    public Number name(int step) {
        return areSketches ? (Number) SketchSteps.estimate(step) : (Number) step;
    }

    /** Everything up to a step, in words that may begin a sentence after a capital letter. */
    public String within(int step) {
        if (areSketches) {
            return "from an estimate of " + name(step) + " on";
        }
        return step == 1 ? "within 1 bit" : "within " + step + " bits";
    }

    /** The common property of all pairs of step 0. */
    String nearest() {
        return areSketches ? "an estimate of 1" : "equal fingerprints";
    }

    /** The step if no pair is near. */
    int byDefault() {
        return areSketches ? DEFAULT_OF_SKETCHES : MaxDistance.DEFAULT_VERIFIED;
    }
}
