/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Near-duplicates where the documents are.
 *
 * <p>The flow: text → features → fingerprint → segments → (index) → candidates → matches → groups.
 *
 * <ul>
 *   <li>{@code options}, {@code request}, {@code memory}, {@code warnings}: what people type, what requests share, what is taken of
 *       the heap, what answers warn of; for all of the following
 *   <li>{@code sketch}: features to a MinHash sketch to bands; plain mathematics
 *   <li>{@code fingerprint}: text to features to a 64-bit SimHash to segments; plain mathematics
 *   <li>{@code image}: an image to a hash of 64 bits
 *   <li>{@code ingest}: documents get their fingerprint on the way into the index
 *   <li>{@code match}: segments to candidates to matches within a distance; plain Lucene
 *   <li>{@code verify}: two texts to their similarity; plain Java and Lucene's analysis API
 *   <li>{@code query}: the query as people write it, verification, evidence
 *   <li>{@code pipeline}: search results without near-duplicates
 *   <li>{@code durable}: whether a crash can lose a version of a document
 *   <li>{@code nearduplicate}: duplicates caught while they are indexed
 *   <li>{@code deduplicate}: whole indices: pairs to groups, tags, an archive, deletion
 *   <li>{@code review}: people read the groups of a job and decide
 *   <li>{@code check}: whether an index is set up so that near-duplicates are found
 *   <li>{@code script}: how stored documents are mended and untagged
 *   <li>{@code inspect}: what texts become, for people to see
 *   <li>{@code counts}, {@code stats}: what happens on the nodes, counted by all of them and shown
 * </ul>
 */
package org.opensearch.simhash;
