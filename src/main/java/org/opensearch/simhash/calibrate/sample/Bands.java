/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.Arrays;

/**
 * The strata that documents were drawn from. All documents of a band are equally likely to be drawn.
 *
 * @param population documents by band
 * @param ofDrawn bands by drawn document
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Bands(long[] population, int[] ofDrawn) {

    /** Drawn documents by band. */
    public int[] drawn() {
        int[] drawn = new int[population.length];
        Arrays.stream(ofDrawn).forEach(band -> drawn[band]++);
        return drawn;
    }

    /** By drawn document: how many documents it stands for. */
    public double[] weights() {
        int[] drawn = drawn();
        return Arrays.stream(ofDrawn)
                .mapToDouble(band -> (double) population[band] / drawn[band])
                .toArray();
    }
}
