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
 * <p>The door: {@code SearchPart} registers all this and shares its services. {@code PipelineRecipes} finds the recipe of a field,
 * {@code IndexMapping} what a mapping can do, {@code PairConditions} decides on a pair, {@code SimHashQueries} makes queries,
 * {@code RequestOptions} and {@code ProcessorOptions} read options, {@code RequestWarnings} collects warnings.
 */
package org.opensearch.simhash.search;
