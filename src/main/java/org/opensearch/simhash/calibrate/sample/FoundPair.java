/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

/**
 * A pair that was chosen among those of its distance.
 *
 * @param first number of the drawn document that it was found around
 * @param second number of the other one when that was drawn, too; else -1
 * @param other address of the other one
 * @param distance bits by which the fingerprints differ
 * @param size documents that its drawn ends stand for
 * @param weight the same, and what the pairs stand for that were not chosen
 */
public record FoundPair(int first, int second, long other, int distance, double size, double weight) {}
