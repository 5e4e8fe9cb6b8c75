/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.common.io.stream.OutputStreamStreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.pipeline.PipelineProcessingContext;

/**
 * Passed from the request side to the response side.
 *
 * @param from number of distinct hits before the page
 * @param size number of distinct hits on the page
 * @param window number of hits asked for, from the first; 0 if the search returns no hits
 * @param fingerprintsWanted whether the user asked for the fingerprints too
 * @param archives whose hits are not compared
 * @param further for a page that is not full; null if it may stay so
 * @param task of the search, which ends all searches for it
 */
record CollapsePlan(
        CollapseOptions options,
        int from,
        int size,
        int window,
        boolean fingerprintsWanted,
        Set<String> archives,
        Further further,
        TaskId task) {

    static final CollapsePlan LEAVE = withoutHits(null, 0, 0);

    static final CollapsePlan DONE = withoutHits(null, -1, 0);

    /**
     * Searches for more hits.
     *
     * @param of a window the same search for so many hits
     * @param maxWindow hits that the indices allow
     */
    record Further(IntFunction<SearchRequest> of, int maxWindow) {

        /** How many times the hits before. So all searches together cost a third more than the last. */
        private static final int GROWTH = 4;

        /** Most bytes of the hits of one search: about what a node can spare for one page. */
        private static final long MOST_BYTES = 64 << 20;

        /** Of a hit beside what is sent of it. */
        private static final long HIT_BYTES = 1 << 10;
    }

    static CollapsePlan withoutHits(CollapseOptions options, int from, int size) {
        return new CollapsePlan(options, from, size, 0, true, Set.of(), null, TaskId.EMPTY_TASK_ID);
    }

    /** Of a hit on average, with all that it carries. */
    long bytes(SearchHits found) {
        var written = new DataOutputStream(OutputStream.nullOutputStream());
        try {
            new OutputStreamStreamOutput(written).writeArray(further == null ? SearchHits.EMPTY : found.getHits());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Further.HIT_BYTES + written.size() / Math.max(1, found.getHits().length);
    }

    /** The next, larger window, for hits of about so many bytes; the same if there is none. */
    int nextWindow(long bytes) {
        long next = further == null
                ? window
                : Math.min(Math.min((long) Further.GROWTH * window, further.maxWindow), Further.MOST_BYTES / bytes);
        return (int) Math.max(window, next);
    }

    /** Why a window without a {@link #nextWindow} has none; empty if it is as large as the indices allow. */
    Optional<String> whyNotLarger() {
        long most = Further.MOST_BYTES >> 20;
        return Optional.of("the page is not full, because more hits would take more than " + most + " MB")
                .filter(any -> further != null && window < further.maxWindow);
    }

    CollapsePlan withWindow(int next) {
        return new CollapsePlan(options, from, size, next, fingerprintsWanted, archives, further, task);
    }

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
