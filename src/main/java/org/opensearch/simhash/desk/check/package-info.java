/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Checks whether an index is set up so that near-duplicates are found: {@code GET /_plugins/_simhash/check/{index}}.
 *
 * <ol>
 *   <li>{@code CheckedIndex}: an index of the cluster state with its {@code PipelineSteps}
 *   <li>{@code CheckedKind}: what fingerprints and sketches differ in
 *   <li>{@code MappingCheck}, {@code PipelineCheck}, {@code SettingsCheck}: what is wrong there
 *   <li>{@code DocumentCounts}, {@code DocumentSample}, {@code MissingFields}, {@code TagCheck}: what is wrong in documents
 *   <li>{@code Findings}: each {@code Finding} says what is wrong and what mends it
 * </ol>
 *
 * <p>{@code MendRoute} rewrites rounded bits. All others only read.
 */
package org.opensearch.simhash.desk.check;
