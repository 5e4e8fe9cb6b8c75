/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import org.opensearch.simhash.nearduplicate.window.ArrivalWindow;
import org.opensearch.simhash.nearduplicate.window.RecentTexts;
import org.opensearch.simhash.query.SimHashQueries;

/**
 * What a node knows without asking the index, for the decisions of all its rounds.
 *
 * @param window what it accepted lately
 * @param texts of these documents
 * @param queries how texts are compared, and with which recipe each index was filled
 */
public record NodeKnowledge(ArrivalWindow window, RecentTexts texts, SimHashQueries queries) {}
