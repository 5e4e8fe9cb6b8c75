/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The index: {@code RoundLookup} searches it for the documents of a round, {@code StoredDocuments} reads what is
 * stored, refreshed or not. No thread waits.
 */
package org.opensearch.simhash.arrivals.lookup;
