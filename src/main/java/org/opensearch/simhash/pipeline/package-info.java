/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The search pipeline processor {@code collapse_near_duplicates}: search results without near-duplicates, for any query.
 *
 * <p>Read in this order, which is that of a search. {@code CollapseRequestProcessor} asks for a window of more hits than the
 * page has ({@code CollapsePlan}), and for their fingerprints. The query's {@code FingerprintPhase} reads those on the
 * shards. {@code CollapseResponseProcessor} takes them off the hits, {@code GreedyCollapse} decides which hits are hidden by
 * which, and {@code CollapsedHits} makes the page of what is left.
 */
package org.opensearch.simhash.pipeline;
