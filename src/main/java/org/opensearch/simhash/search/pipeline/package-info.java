/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The search pipeline processor {@code collapse_near_duplicates}: search results without near-duplicates, for any query.
 *
 * <p>Read in the order of a search. {@code CollapseRequestProcessor} asks for a window of hits larger than the page ({@code CollapsePlan}),
 * and for their prints. The query's {@code PrintPhase} reads these on the shards. {@code CollapseResponseProcessor} takes them off the
 * hits, {@code GreedyCollapse} decides which hits to hide, and {@code CollapsedHits} makes the page. {@code DistinctSearch} makes both
 * sides for a search that asks for it itself ({@code SimHashExt}), and such a page is filled up by further searches.
 */
package org.opensearch.simhash.search.pipeline;
