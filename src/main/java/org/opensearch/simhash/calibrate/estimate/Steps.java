/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/** What the steps of a calibration are to a reader and to a job. A step is what this package calls a distance. */
public interface Steps {

    /** Everything up to a step, in words that may begin a sentence after a capital letter. */
    String within(int step);

    /** What all pairs of step 0 have. */
    String nearest();

    /** The last step that a job can use. */
    int mostOfJobs();

    /** The step if no pair is near. */
    int byDefault();
}
