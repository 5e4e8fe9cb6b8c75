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
 * <p>Five parts, each a floor. A part knows itself and those below it:
 *
 * <pre>
 * desk      what people and operators touch: setup, check, calibrate, review, pages, metrics
 * jobs      whole indices: scan, links, groups, writes, archive, schedules
 * arrivals  duplicates at ingest, and whether a crash can lose what a decision relies on
 * search    what OpenSearch calls at index and search time: processors, queries, collapse
 * core      texts to fingerprints, sketches, passages; comparing texts; joining millions. No server
 * </pre>
 *
 * <p>The {@code package-info} of a part has its picture, its words and its door: the types that others use. The class of a part
 * that ends in {@code Part} registers it. {@code SimHashPlugin} joins the parts.
 */
package org.opensearch.simhash;
