/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Finds near-duplicates among the documents of OpenSearch.
 *
 * <p>The flow: text → features → fingerprint → segments → (index) → candidates → matches → groups.
 *
 * <ul>
 *   <li><b>recipe</b>: the options of a processor that make fingerprints of texts
 *   <li><b>scheme</b>: the name of what a recipe computes; only fingerprints of one scheme are compared
 *   <li><b>feature</b>: one or more words that follow each other, with a weight
 *   <li><b>fingerprint</b>: what is stored of a text: bits, digest, segments, scheme
 *   <li><b>sketch</b>: what MinHash stores of a text: the smallest hashes of its features
 *   <li><b>bits</b>: the 64 bits of the SimHash
 *   <li><b>digest</b>: a hash of the words and symbols; equal texts have equal digests
 *   <li><b>segment</b>: a slice of the bits, indexed as a term
 *   <li><b>leaf</b>: a segment of Lucene's index
 *   <li><b>distance</b>: the number of bits in which two fingerprints differ
 *   <li><b>candidate</b>: a document that shares a segment with another one
 *   <li><b>match</b>: a document within the distance, and with a similar text if texts are verified
 *   <li><b>link</b>: two documents that are near each other
 *   <li><b>stratum</b>: fingerprints that are compared with one another: those of one scheme with equal values of {@code same}
 *   <li><b>clique</b>: documents with equal fingerprints, or with equal texts
 *   <li><b>group</b>: documents that links connect
 *   <li><b>survivor</b>: the document of a group that stays; the others are its <b>duplicates</b>
 *   <li><b>original</b>: the stored document that a new duplicate is near
 *   <li><b>sought</b>: a new document while {@code near_duplicate} looks for its original
 *   <li><b>standing</b>: whether something found earlier is still so when it is acted on
 *   <li><b>beside</b>: a version of a new document that may be stored or not, unlike a certain one
 *   <li><b>turn</b>: when a job may send its next write request
 * </ul>
 *
 * <p>The packages, in the order of the flow:
 *
 * <ul>
 *   <li>{@code options}, {@code request}, {@code memory}, {@code warnings}: used by all others
 *   <li>{@code fingerprint}: text to fingerprint; plain mathematics
 *   <li>{@code sketch}: features to a MinHash sketch; plain mathematics
 *   <li>{@code passages}: words to the terms by which shared passages are found; plain mathematics
 *   <li>{@code pair}: conditions that two documents must meet
 *   <li>{@code image}: an image to bits
 *   <li>{@code ingest}: processors that write fingerprints into documents
 *   <li>{@code match}: segments to candidates to matches; plain Lucene
 *   <li>{@code verify}: two texts to their similarity
 *   <li>{@code query}: the query, verification, evidence
 *   <li>{@code pipeline}: search results without near-duplicates
 *   <li>{@code durable}: whether a crash can lose a version of a document
 *   <li>{@code nearduplicate}: duplicates at ingest
 *   <li>{@code deduplicate}: jobs over whole indices
 *   <li>{@code schedules}: jobs that the cluster starts by itself
 *   <li>{@code review}: people decide about the groups of a job
 *   <li>{@code calibrate}, {@code check}: which distance to choose; what is set up wrongly
 *   <li>{@code script}: scripts that mend and untag documents
 *   <li>{@code inspect}, {@code setup}: what texts become; how an index is set up
 *   <li>{@code door}, {@code release}: the front door; whether the plugin fits the OpenSearch that runs it
 *   <li>{@code counts}, {@code stats}, {@code metrics}: what the nodes do
 * </ul>
 */
package org.opensearch.simhash;
