/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.List;
import org.opensearch.simhash.calibrate.sample.Bands;

/**
 * What was seen of an index: random documents, the counts of all pairs around them, and some compared pairs.
 *
 * @param counts by drawn document and distance: other documents
 * @param shares like counts, but each pair counts by its share for this document; both shares of a pair add up to 2
 * @param seen compared pairs, random ones at each distance
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Sample(Bands bands, int[][] counts, double[][] shares, List<SeenPair> seen) {

    int drawn() {
        return counts.length;
    }

    int distances() {
        return drawn() == 0 ? 0 : counts[0].length;
    }
}
