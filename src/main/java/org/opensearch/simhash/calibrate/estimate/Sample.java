/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.List;
import org.opensearch.simhash.calibrate.sample.Bands;

/**
 * What was seen of an index: documents drawn at random, all pairs around them counted, and some of these pairs compared.
 *
 * @param bands where the documents were drawn from
 * @param counts of each drawn document how many others are at each distance, from 0 on
 * @param shares the same, each pair by the part that counts as found from that document: both parts are 2 together
 * @param seen the pairs that were compared, of each distance drawn at random
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
