/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.Arrays;

/**
 * From which part of the documents each one was drawn. Of each band any documents are as likely to be drawn as others.
 *
 * @param population of each band its documents
 * @param ofDrawn of each drawn document its band
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Bands(long[] population, int[] ofDrawn) {

    /** How many documents were drawn of each band. */
    public int[] drawn() {
        int[] drawn = new int[population.length];
        Arrays.stream(ofDrawn).forEach(band -> drawn[band]++);
        return drawn;
    }

    /** Of each drawn document, how many documents it stands for. */
    public double[] weights() {
        int[] drawn = drawn();
        return Arrays.stream(ofDrawn)
                .mapToDouble(band -> (double) population[band] / drawn[band])
                .toArray();
    }
}
