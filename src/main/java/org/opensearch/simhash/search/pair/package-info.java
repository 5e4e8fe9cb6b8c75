/* SPDX-License-Identifier: Apache-2.0 */

/**
 * What two near documents must have in common beside their texts, or must not: conditions on a pair, and the values of a
 * document that decide them. Jobs, {@code near_duplicate} and collapse ask here.
 */
package org.opensearch.simhash.search.pair;
