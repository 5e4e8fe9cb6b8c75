/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Near-duplicates where the documents are.
 *
 * <p>The flow: text → features → fingerprint → segments → (index) → candidates → matches → groups.
 *
 * <ul>
 *   <li>{@code fingerprint}: text to features to a 64-bit SimHash to segments; plain mathematics
 *   <li>{@code ingest}: documents get their fingerprint on the way into the index
 *   <li>{@code query}: segments to candidates to matches within a distance
 * </ul>
 */
package org.opensearch.simhash;
