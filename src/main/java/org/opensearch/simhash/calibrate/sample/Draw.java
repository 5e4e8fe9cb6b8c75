/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.List;

/**
 * Random documents.
 *
 * @param documents in the order of their numbers
 * @param bands where they were drawn from
 * @param weightOfDensity by band of the {@link DensityTable}: how many documents a drawn document stands for there
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Draw(List<Document> documents, Bands bands, double[] weightOfDensity) {}
