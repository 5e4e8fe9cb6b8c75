/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs of equal words in two texts. {@code Winnowing} chooses the terms that find the documents, {@code CommonRuns} compares the
 * words of two texts and says how many they share and where. Knows words only as hashes.
 */
package org.opensearch.simhash.core.passages;
