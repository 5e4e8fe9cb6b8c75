/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The {@code simhash} query as people write it: options to a source, a source to fingerprints, fingerprints to the Lucene
 * query of package {@code match}; then texts verified, and evidence for each hit.
 *
 * <p>{@code SimHashQueryOptions} reads the options, {@code SourceResolver} turns a {@code QuerySource} into targets on the
 * coordinating node, {@code SimHashQueryBuilder} carries them to the shards, {@code ShardQuery} makes the Lucene query there
 * with the fields that {@code FingerprintMapping} finds, {@code UnmappedParts} miss, {@code NestedPlace} puts into documents and {@code KnownFields} remember, {@code VerifiedQuery} compares texts, {@code SearchMemories} account for
 * what it keeps of them, {@code OneClauseQuery} holds together what one clause became, {@code EvidencePhase}, {@code LeafEvidence} and {@code PlanRecord}
 * tell what happened, {@code SearchCounts} adds it up. {@code FingerprintPhase} shows the fingerprints of hits to who asks for them,
 * as {@code HitFingerprint}s.
 */
package org.opensearch.simhash.query;
