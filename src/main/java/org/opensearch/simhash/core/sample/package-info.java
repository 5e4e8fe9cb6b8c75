/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Draws random documents and looks around them in three passes: {@code DensityTable}, {@code DocumentDraw}, {@code Surroundings}.
 * {@code Nearness} compares documents. Plain code on primitive arrays, without OpenSearch.
 */
package org.opensearch.simhash.core.sample;
