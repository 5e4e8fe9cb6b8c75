/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.LinkedHashMap;
import java.util.Map;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.query.SimHashExt;

/**
 * The work of {@code collapse_near_duplicates} for one search.
 *
 * @param distinct number of hits that stay, on any page
 * @param hidden number of other hits
 * @param keptApart number of hits that stay, because people keep them apart from a better one that is near
 * @param isWindowExhausted whether the page is not full although there may be more distinct hits after the window
 */
public record CollapseCounts(int window, int hits, int distinct, int hidden, int keptApart, boolean isWindowExhausted) {

    SimHashExt ext() {
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put(SimHashExt.WINDOW, window);
        parts.put("hits", hits);
        parts.put(SimHashExt.DISTINCT, distinct);
        parts.put("hidden", hidden);
        parts.put("kept_apart", keptApart);
        parts.put("window_exhausted", isWindowExhausted);
        return new SimHashExt(parts);
    }

    void addTo(Counters<CollapseCount> counts) {
        counts.increment(CollapseCount.SEARCHES);
        counts.add(CollapseCount.HITS, hits);
        counts.add(CollapseCount.HIDDEN, hidden);
        counts.add(CollapseCount.KEPT_APART, keptApart);
        counts.add(CollapseCount.WINDOW_EXHAUSTED, isWindowExhausted ? 1 : 0);
    }

    /** Counts of the node's {@code collapse_near_duplicates} processors. */
    public enum CollapseCount {
        SEARCHES,
        HITS,
        /** Hits without fingerprint, which were not compared. */
        WITHOUT_FINGERPRINT,
        HIDDEN,
        /** Hits that stay, because people keep them apart from a better one. */
        KEPT_APART,
        /** Searches whose page was not full although there may be more hits after the window. */
        WINDOW_EXHAUSTED,
        /** Searches whose hits could not be compared. */
        FAILED
    }
}
