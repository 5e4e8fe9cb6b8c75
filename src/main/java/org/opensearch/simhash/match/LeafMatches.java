/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;

/**
 * The matches of one Lucene leaf in document order: fingerprints within a bound and of the target's scheme, and equal
 * digests. Plans when first asked, so that a bound tightened by then is used, and again when the bound was tightened
 * since: a scan that has filled the page turns to probes for the few that may still enter it. One thread, forward only.
 */
final class LeafMatches {

    /** Smaller ranges are windows of a caller that will ask for the next. */
    private static final int SMALL_WINDOW = 1 << 13;

    /** A check for so many batches: some ten thousand documents, a tenth of a millisecond. */
    private static final int BATCHES_PER_CHECK = 8;

    private final LeafSearch leaf;
    private final DigestMatches digests;
    private final SchemeFilter schemes;
    private final Cancellation cancellation;
    private MatchSource source;
    private int plannedBound;
    private int plannedFrom;
    private int plannedTo;
    private int batches;

    LeafMatches(LeafSearch leaf) throws IOException {
        this.leaf = leaf;
        this.digests = leaf.openDigests();
        this.schemes = leaf.openSchemes();
        this.cancellation = leaf.cancellation();
    }

    /**
     * Replaces the batch by the matches at the beginning of {@code [from, to)}.
     *
     * @return the first document that was not examined yet, {@code to} when all were
     */
    int fill(int from, int to, int bound, MatchBatch batch) throws IOException {
        if (++batches % BATCHES_PER_CHECK == 0) {
            cancellation.check();
        }
        if (source == null || from >= plannedTo || worthPlanningAgain(from, bound)) {
            plan(from, to, bound);
        }
        int limit = digests.limit(from, Math.min(to, plannedTo));
        batch.clear(source.most() + digests.most());
        int end = source.fill(from, limit, bound, batch);
        schemes.retain(batch);
        digests.mergeInto(batch, from, end);
        leaf.effort().matches += batch.size;
        return end;
    }

    /** A document not after the first match at or after {@code from}. */
    int next(int from) throws IOException {
        if (source == null || from >= plannedTo) {
            return from;
        }
        int next = Math.min(source.next(from), digests.next(from));
        return plannedTo < leaf.maxDoc() ? Math.min(next, plannedTo) : next;
    }

    /**
     * Callers that go by small windows are planned for once, up to the end of the leaf, where that is cheap. Where it is not, they
     * may search no more than a part of the leaf, and other threads the rest: then up to an end that moves away twice as fast each
     * time, and so little that it pays to open the postings again.
     */
    private void plan(int from, int to, int bound) throws IOException {
        int maxDoc = leaf.maxDoc();
        int small = Math.max(SMALL_WINDOW, maxDoc >> 4);
        int end = to - from > small ? to : maxDoc;
        ProbePlan plan = leaf.plan(from, end, bound);
        if (end > to) {
            int grown = Math.min(small, 2 * (plannedTo - plannedFrom));
            int worthOpening = leaf.worthOpening(plan, bound);
            end = (int) Math.min(end, Math.max(to, (long) from + Math.max(grown, worthOpening)));
        }
        plannedFrom = from;
        plannedTo = end;
        plannedBound = bound;
        source = leaf.search(plan, from, end, bound);
    }

    private boolean worthPlanningAgain(int from, int bound) {
        return bound < plannedBound
                && source instanceof MatchSource.OnDemand
                && leaf.canProbe()
                && from - plannedFrom > leaf.maxDoc() >> 4;
    }
}
