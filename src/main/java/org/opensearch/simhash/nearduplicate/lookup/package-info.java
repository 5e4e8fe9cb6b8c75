/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the index knows: {@code RoundLookup} searches for what is near the documents of a round, {@code StoredDocuments} gets
 * what is really stored, refreshed or not. No thread waits for an answer.
 */
package org.opensearch.simhash.nearduplicate.lookup;
