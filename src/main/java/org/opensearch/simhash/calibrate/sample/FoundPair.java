/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

/**
 * A pair that was chosen among those at its distance.
 *
 * @param first number of the drawn document
 * @param second number of the other document if it was drawn, too; else -1
 * @param other address of the other document
 * @param size documents that the drawn ends stand for
 * @param weight the size, times the pairs that were not chosen
 */
public record FoundPair(int first, int second, long other, int distance, double size, double weight) {}
