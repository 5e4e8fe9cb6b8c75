/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Near-duplicates where the documents are.
 *
 * <p>The flow: text → features → fingerprint → segments → (index) → candidates → matches → groups.
 *
 * <ul>
 *   <li>{@code options}, {@code memory}: what people type, what is taken of the heap; for all of the following
 *   <li>{@code fingerprint}: text to features to a 64-bit SimHash to segments; plain mathematics
 *   <li>{@code ingest}: documents get their fingerprint on the way into the index
 *   <li>{@code match}: segments to candidates to matches within a distance; plain Lucene
 *   <li>{@code verify}: two texts to their similarity; plain Java and Lucene's analysis API
 *   <li>{@code query}: the query as people write it, verification, evidence
 *   <li>{@code pipeline}: search results without near-duplicates
 *   <li>{@code nearduplicate}: duplicates caught while they are indexed
 *   <li>{@code deduplicate}: whole indices: pairs to groups, tags, an archive, deletion
 *   <li>{@code inspect}: what texts become, for people to see
 *   <li>{@code counts}, {@code stats}: what happens on the nodes, counted by all of them and shown
 * </ul>
 */
package org.opensearch.simhash;
