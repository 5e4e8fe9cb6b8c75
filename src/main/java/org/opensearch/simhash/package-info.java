/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Finds near-duplicates among the documents of OpenSearch.
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
 *   <li>{@code nearduplicate}: duplicates at ingest
 *   <li>{@code deduplicate}: jobs over whole indices
 *   <li>{@code review}: people decide about the groups of a job
 *   <li>{@code calibrate}, {@code check}: which distance to choose; what is set up wrongly
 *   <li>{@code script}: scripts that mend and untag documents
 *   <li>{@code inspect}: what texts become
 *   <li>{@code counts}, {@code stats}, {@code metrics}: what the nodes do
 * </ul>
 */
package org.opensearch.simhash;
