/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whether an index is set up so that near-duplicates are found: {@code GET /_plugins/_simhash/check/{index}}. The flow:
 *
 * <ol>
 *   <li>{@code CheckedIndex}: an index as the cluster state has it, and the steps of its pipelines ({@code PipelineSteps})
 *   <li>{@code MappingCheck}, {@code PipelineCheck}, {@code SettingsCheck}, {@code TemplateCheck}: what is wrong in there
 *   <li>{@code DocumentCounts}, {@code DocumentSample}, {@code VerifiedFields}: what is wrong in the documents
 *   <li>{@code Finding}: what is wrong, where, and a request that mends it
 * </ol>
 *
 * <p>{@code RestMendAction} rewrites what a client has rounded. Everything but that only reads.
 */
package org.opensearch.simhash.check;
