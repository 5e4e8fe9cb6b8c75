/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/** Names the steps of a calibration for readers and for jobs. A step is a distance in this package. */
public interface Steps {

    /** Everything up to a step, in words that may begin a sentence after a capital letter. */
    String within(int step);

    /** The common property of all pairs of step 0. */
    String nearest();

    /** The last step that a job can use. */
    int mostOfJobs();

    /** The step if no pair is near. */
    int byDefault();
}
