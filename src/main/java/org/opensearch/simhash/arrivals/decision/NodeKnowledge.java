/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.RecentTexts;
import org.opensearch.simhash.search.query.SimHashQueries;

/**
 * What a node knows without a search.
 *
 * @param queries comparisons of texts, and the recipe of each index
 */
public record NodeKnowledge(ArrivalWindow window, RecentTexts texts, SimHashQueries queries) {}
