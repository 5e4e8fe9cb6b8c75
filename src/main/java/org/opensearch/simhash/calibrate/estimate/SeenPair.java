/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/**
 * A pair whose texts were compared.
 *
 * @param first number of the drawn document that it was found around
 * @param second number of the other one when that was drawn, too; else -1
 * @param distance bits by which the fingerprints differ
 * @param size documents of the index that its drawn ends stand for
 * @param weight the same, and what the pairs of this distance stand for that were not compared; at least the size
 * @param similarity of the texts, 0 to 1
 * @param isNear whether the texts count as near
 */
public record SeenPair(
        int first, int second, int distance, double size, double weight, double similarity, boolean isNear) {

    /** How often the pair was found. */
    int ends() {
        return second < 0 ? 1 : 2;
    }
}
