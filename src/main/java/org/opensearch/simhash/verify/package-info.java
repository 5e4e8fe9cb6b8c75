/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Two texts to a similarity: the last word on whether documents with near fingerprints are near-duplicates.
 *
 * <p>A {@link org.opensearch.simhash.verify.Verification} says what to measure and what is enough. A {@link
 * org.opensearch.simhash.verify.TextComparison} is prepared once for one text and then compared with many; each comparison
 * gives a {@link org.opensearch.simhash.verify.Verdict}. Texts come normalised and without markup. Token measures ({@link
 * org.opensearch.simhash.verify.ShingleComparison}) compare sets of shingles, character measures ({@link
 * org.opensearch.simhash.verify.CharacterComparison}) align code points by a {@link
 * org.opensearch.simhash.verify.BandedDistance}. Nothing here knows OpenSearch.
 */
package org.opensearch.simhash.verify;
