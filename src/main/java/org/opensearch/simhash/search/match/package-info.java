/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Segments to candidates to matches: the documents of an index with a fingerprint within a number of bits of a target.
 *
 * <p>Read in this order. {@link org.opensearch.simhash.search.match.SimHashQuery} says what matches. Per leaf (a Lucene
 * segment), {@code LeafFingerprints} finds out how fingerprints are indexed and {@code LeafPlanner} chooses the
 * cheapest exact way:
 *
 * <ul>
 *   <li><b>probe</b>: {@code ProbePlan} names the segment values to look up, {@code SegmentProbes} knows their cost,
 *       {@code VerifiedProbes} verifies the documents found;
 *   <li><b>count</b>: if too many documents share one value, {@code CountPlanner} adds values, so that a match shares several,
 *       and {@code CountedProbes} verifies only documents that do;
 *   <li><b>scan</b>: {@code LeafSearch} compares all stored fingerprints;
 *   <li><b>lead</b>: {@code LeadVerification} compares only what the rest of a conjunction proposes.
 * </ul>
 *
 * <p>Plain Lucene: of OpenSearch it knows only the name of the reader in {@code Cancellation}.
 */
package org.opensearch.simhash.search.match;
