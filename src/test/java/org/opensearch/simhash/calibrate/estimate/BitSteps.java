/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/** Bits of distance. */
record BitSteps(int mostOfJobs) implements Steps {

    @Override
    public String within(int step) {
        return step == 1 ? "within 1 bit" : "within " + step + " bits";
    }

    @Override
    public String nearest() {
        return "equal fingerprints";
    }

    @Override
    public int byDefault() {
        return 11;
    }
}
