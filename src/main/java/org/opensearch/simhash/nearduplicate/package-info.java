/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Duplicates caught while they are indexed: the ingest processor {@code near_duplicate}.
 *
 * <p>{@code NearDuplicateProcessor} reads what the {@code simhash} processor wrote and makes a {@code Round} of the documents
 * that come together. The round enters them into the {@code ArrivalWindow}, which knows what this node accepted and the
 * index may not show yet; it looks them up in the index ({@code JointLookup},
 * {@code IndexLookup}), asks whether an original is really
 * stored ({@code StoredOriginals}), and decides document by document.
 */
package org.opensearch.simhash.nearduplicate;
