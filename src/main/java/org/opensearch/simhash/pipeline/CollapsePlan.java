/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import org.opensearch.search.pipeline.PipelineProcessingContext;

/**
 * What the request side of the pipeline tells the response side.
 *
 * @param options of the request side
 * @param from number of distinct hits before the page
 * @param size number of distinct hits on the page
 * @param window number of hits asked for, from the first on; 0 when the search returns no hits at all
 * @param fingerprintsWanted whether the user asked for the fingerprints too, so that they stay
 */
record CollapsePlan(CollapseOptions options, int from, int size, int window, boolean fingerprintsWanted) {

    /** Of a search whose response stays as it is. */
    static final CollapsePlan LEAVE = new CollapsePlan(null, 0, 0, 0, false);

    /** Of a search whose response was dealt with. */
    static final CollapsePlan DONE = new CollapsePlan(null, -1, 0, 0, false);

    private static final String ATTRIBUTE = "simhash." + CollapseOptions.TYPE;

    /** The plan of a search, null when there is none yet. */
    static CollapsePlan of(PipelineProcessingContext search) {
        return (CollapsePlan) search.getAttribute(ATTRIBUTE);
    }

    void keepFor(PipelineProcessingContext search) {
        search.setAttribute(ATTRIBUTE, this);
    }

    /**
     * How many hits to ask for: {@code oversample} times those up to the end of the page, so that the same hits are on the
     * same page whatever the pages before it; not more than the index allows, unless the user asked for more.
     */
    static int window(int pageEnd, double oversample, int maxResultWindow) {
        double wanted = Math.ceil(pageEnd * oversample);
        return Math.max(pageEnd, (int) Math.min(wanted, maxResultWindow));
    }
}
