/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/**
 * A pair whose texts were compared.
 *
 * @param first number of the drawn document
 * @param second number of the other document if it was drawn, too; else -1
 * @param size documents of the index that the drawn ends stand for
 * @param weight the size, times the pairs at this distance that were not compared; at least the size
 */
public record SeenPair(
        int first, int second, int distance, double size, double weight, double similarity, boolean isNear) {

    /** How often the pair was found. */
    int ends() {
        return second < 0 ? 1 : 2;
    }
}
