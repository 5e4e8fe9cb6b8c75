/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import java.util.Arrays;
import java.util.List;

/**
 * Random documents.
 *
 * @param documents in the order of their numbers
 * @param bands where they were drawn from
 * @param weightOfDensity by band of the {@link DensityTable}: how many documents a drawn document stands for there
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Draw(List<Document> documents, Bands bands, double[] weightOfDensity) {

    /**
     * The strata that documents were drawn from: the documents of each band, which are equally likely to be drawn,
     * the band of each drawn document, and the drawn documents of each band.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Bands(long[] population, int[] ofDrawn, int[] drawn) {

        public Bands(long[] population, int[] ofDrawn) {
            this(population, ofDrawn, new int[population.length]);
            Arrays.stream(ofDrawn).forEach(band -> drawn[band]++);
        }

        /** By drawn document: how many documents it stands for. */
        public double[] weights() {
            return Arrays.stream(ofDrawn)
                    .mapToDouble(band -> (double) population[band] / drawn[band])
                    .toArray();
        }
    }
}
