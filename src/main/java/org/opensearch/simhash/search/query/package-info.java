/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The queries {@code simhash} and {@code minhash}: options to a source, a source to prints (fingerprints or sketches), these to
 * the Lucene query of package {@code match}. Then texts are verified, and each hit gets its evidence. What the kinds of prints
 * differ in stands in {@code Prints}, {@code StoredPrints} and {@code Threshold}.
 *
 * <ul>
 *   <li>{@code PrintQueryOptions} reads the options.
 *   <li>{@code SourceResolver} turns a {@code QuerySource} into prints on the coordinating node.
 *   <li>{@code PrintQueryBuilder} carries the prints to the shards.
 *   <li>{@code ShardQuery} makes the Lucene query there. {@code FingerprintMapping} and {@code SketchMapping} find the fields,
 *       {@code UnmappedParts} checks that none is left out.
 *   <li>{@code VerifiedQuery} compares texts. {@code SearchMemories} accounts for the memory.
 *   <li>{@code OneClauseQuery} joins the queries of one clause.
 *   <li>{@code EvidencePhase} and {@code LeafEvidence} explain hits. {@code PlanRecord} and {@code SearchCounts} count
 *       the work.
 *   <li>{@code PrintPhase} adds {@code HitPrints} to each hit that needs them.
 * </ul>
 */
package org.opensearch.simhash.search.query;
