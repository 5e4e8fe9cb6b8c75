/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Draws documents by chance and looks around them, in three readings of all fingerprints: {@code DensityTable}, {@code DocumentDraw},
 * {@code Surroundings}. Plain code on primitive arrays: it knows nothing of OpenSearch.
 */
package org.opensearch.simhash.calibrate.sample;
