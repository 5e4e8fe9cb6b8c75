/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Segments to candidates to matches: which documents of an index have a fingerprint within a number of bits of a target.
 *
 * <p>Read in this order. {@link org.opensearch.simhash.match.SimHashQuery} says what matches. Per Lucene leaf,
 * {@code LeafFingerprints} finds out how the fingerprints are indexed there and {@code LeafPlanner} chooses the cheapest
 * exact way to the matches:
 *
 * <ul>
 *   <li><b>probe</b>: {@code ProbePlan} says which segment values must be looked up so that no match can be missed,
 *       {@code SegmentProbes} knows what looking them up costs, {@code VerifiedProbes} verifies the
 *       documents found;
 *   <li><b>count</b>: where too many documents share one value, {@code CountPlanner} looks for more values, so that a match
 *       shares several of them, and {@code CountedProbes} verifies only the documents that do;
 *   <li><b>scan</b>: {@code FingerprintScan} compares all stored fingerprints;
 *   <li><b>lead</b>: {@code LeadVerification} compares only the documents that the rest of a conjunction proposes.
 * </ul>
 *
 * <p>Plain Lucene; nothing here knows OpenSearch, but for the name of the reader that {@code UncheckedReader} takes off.
 */
package org.opensearch.simhash.match;
