/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Checks whether an index is set up so that near-duplicates are found: {@code GET /_plugins/_simhash/check/{index}}.
 *
 * <ol>
 *   <li>{@code CheckedIndex} holds an index of the cluster state and the steps of its pipelines ({@code PipelineSteps}).
 *   <li>{@code MappingCheck}, {@code PipelineCheck}, {@code SettingsCheck} and {@code TemplateCheck} look at these.
 *   <li>{@code DocumentCounts}, {@code DocumentSample} and {@code VerifiedFields} look at the documents.
 *   <li>{@code Finding} says what is wrong, where, and which request mends it.
 * </ol>
 *
 * <p>{@code RestMendAction} rewrites rounded bits. All others only read.
 */
package org.opensearch.simhash.check;
