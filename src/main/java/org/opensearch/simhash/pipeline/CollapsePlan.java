/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.Set;
import org.opensearch.search.SearchHit;
import org.opensearch.search.pipeline.PipelineProcessingContext;

/**
 * Passed from the request side to the response side.
 *
 * @param options of the request side
 * @param from number of distinct hits before the page
 * @param size number of distinct hits on the page
 * @param window number of hits asked for, from the first; 0 if the search returns no hits
 * @param fingerprintsWanted whether the user asked for the fingerprints too
 * @param archives whose hits are not compared
 */
record CollapsePlan(
        CollapseOptions options, int from, int size, int window, boolean fingerprintsWanted, Set<String> archives) {

    /** The response stays as it is. */
    static final CollapsePlan LEAVE = new CollapsePlan(null, 0, 0, 0, false, Set.of());

    /** The response is already processed. */
    static final CollapsePlan DONE = new CollapsePlan(null, -1, 0, 0, false, Set.of());

    private static final String ATTRIBUTE = "simhash." + CollapseOptions.TYPE;

    /** Whether the hit is a copy of a deleted document. */
    boolean isArchived(SearchHit hit) {
        return hit.getClusterAlias() == null && archives.contains(hit.getIndex());
    }

    /** The plan of a search; null if there is none yet. */
    static CollapsePlan of(PipelineProcessingContext search) {
        return (CollapsePlan) search.getAttribute(ATTRIBUTE);
    }

    void keepFor(PipelineProcessingContext search) {
        search.setAttribute(ATTRIBUTE, this);
    }

    /**
     * Number of hits to ask for: {@code oversample} times the end of the page, so that each page shows the same hits
     * whatever page came before. At most what the index allows, unless the user asked for more.
     */
    static int window(int pageEnd, double oversample, int maxResultWindow) {
        double wanted = Math.ceil(pageEnd * oversample);
        return Math.max(pageEnd, (int) Math.min(wanted, maxResultWindow));
    }
}
