/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What OpenSearch calls while it indexes and searches: processors that store fingerprints, queries that find them, search results
 * without near-duplicates.
 *
 * <pre>
 * document → ingest → index
 *                       ↓
 * request  → query → match → hits → pipeline → answer
 * </pre>
 *
 * <ul>
 *   <li>{@code ingest}: options to a recipe, a document to texts, texts to fields
 *   <li>{@code match}: segments to candidates to matches; plain Lucene
 *   <li>{@code query}: JSON to the query of a shard, verification, evidence
 *   <li>{@code pipeline}: which hits of a page are hidden
 *   <li>{@code pair}: conditions that two documents must meet; ingest, jobs and collapse ask here
 *   <li>{@code options}, {@code warnings}, {@code counts}, {@code message}, {@code memory}: serve this part and those above
 * </ul>
 *
 * <p>What a document says of its story is in the object of its print, and in no other place ({@code FingerprintFields}):
 *
 * <table>
 *   <caption>Who writes a part, when it goes, who reads it</caption>
 *   <tr><th>part<th>written by<th>goes<th>read by
 *   <tr><td>{@code group}<td>jobs and {@code apply} that tag; {@code near_duplicate} with {@code groups}<td>with another text
 *       ({@code ingest}); {@code untag}; a job that finds it in no group<td>jobs, {@code near_duplicate}, {@code pipeline},
 *       {@code check}, searches by story
 *   <tr><td>{@code duplicate_of}<td>the same, in all but the survivor<td>as {@code group}<td>jobs, {@code near_duplicate},
 *       {@code check}, searches for survivors
 *   <tr><td>{@code apart}<td>{@code apply}, and jobs that tag with a {@code dest}<td>with another text ({@code ingest}); with what people take back; by hand<td>jobs,
 *       {@code near_duplicate}, {@code pipeline}, {@code check}: all ask {@code pair.Apart}
 * </table>
 *
 * <p>A write of the same text keeps all three: {@code StoredFingerprint} says what is the same. {@code near_duplicate} keeps them also for
 * a document that comes without its object; its windows know them before a refresh.
 *
 * <p>The door: {@code SearchPart} registers all this and shares its services. {@code PipelineRecipes} finds the recipe of a field,
 * {@code IndexMapping} what a mapping can do, {@code PairConditions} decides on a pair, {@code SimHashQueries} makes queries,
 * {@code RequestOptions} and {@code ProcessorOptions} read options, {@code RequestWarnings} collects warnings.
 */
package org.opensearch.simhash.search;
