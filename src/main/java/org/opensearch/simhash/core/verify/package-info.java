/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Two texts to a similarity, which finally decides whether documents with near fingerprints are near-duplicates.
 *
 * <p>{@link org.opensearch.simhash.core.verify.Verification} says what to measure and what is enough.
 * {@link org.opensearch.simhash.core.verify.TextComparison} is prepared once for one text, and gives a
 * {@link org.opensearch.simhash.core.verify.Verdict} for each other text. Texts are normalised and without markup. Token
 * measures ({@link org.opensearch.simhash.core.verify.ShingleComparison}) compare sets of shingles; character measures
 * ({@link org.opensearch.simhash.core.verify.CharacterComparison}) align code points with
 * {@link org.opensearch.simhash.core.verify.BandedDistance}; {@link org.opensearch.simhash.core.verify.FactComparison} compares what
 * short texts say. No OpenSearch here.
 */
package org.opensearch.simhash.core.verify;
