/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Computes numbers about the whole index, with intervals, from a sample of documents and pairs. Plain code without OpenSearch.
 * Start with {@code Estimates}.
 *
 * <ol>
 *   <li>All fingerprints of a point in time are read three times, page by page, and not kept.
 *   <li>The first reading counts how many fingerprints share windows of bits: where the index is crowded.
 *   <li>The second one draws documents, half of them evenly and half where the index is crowded, so that it sees one document
 *       in a thousand, if these are near each other and have most of the pairs. The chance to be drawn tells how many documents a drawn one
 *       stands for.
 *   <li>The third one compares all fingerprints with the drawn ones. Priority sampling (Duffield, Lund, Thorup, 2007) chooses
 *       some pairs at each distance, whose texts are compared.
 * </ol>
 *
 * <p>{@code Estimates} names the methods. Of sketches, the first 16 components tell what is crowded; two that agree in none of the first 32 count as far,
 * which is wrong for one of 90,000 pairs with a similarity of 0.3. {@code CoverageTests} simulates corpora: each interval holds
 * the truth in at least 92 of 100 runs.
 */
package org.opensearch.simhash.core.estimate;
