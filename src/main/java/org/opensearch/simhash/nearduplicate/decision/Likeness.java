/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

/**
 * How near a version is to the arriving document.
 *
 * @param distance bits in which the fingerprints differ, 0 if the digests are equal
 * @param similarity of the texts, {@code NaN} if not compared
 */
record Likeness(int distance, double similarity) {}
