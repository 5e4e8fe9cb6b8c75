/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

/**
 * How near a version of a document is to another document.
 *
 * @param distance bits in which the fingerprints differ, 0 when the digests are equal
 * @param similarity of the texts, {@code NaN} when they are not compared
 */
record Likeness(int distance, double similarity) {}
