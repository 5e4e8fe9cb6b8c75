/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;

/**
 * The matches of one leaf in document order. It plans when first asked, with the bound of that time, and again when the bound is smaller:
 * after a scan has filled the page, probes may find the few documents that can still enter. One thread, forward only.
 */
final class LeafMatches {

    /** The caller of a smaller range will ask for the next one. */
    private static final int SMALL_WINDOW = 1 << 13;

    /** About ten thousand documents, a tenth of a millisecond. */
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
        this.cancellation = leaf.cancellation;
    }

    /**
     * Fills the batch with the matches at the beginning of {@code [from, to)}.
     *
     * @return the first document not yet examined; {@code to} at the end
     */
    int fill(int from, int to, int bound, MatchBatch batch) throws IOException {
        if (++batches % BATCHES_PER_CHECK == 0) {
            cancellation.check();
        }
        if (source == null || from >= plannedTo || worthPlanningAgain(from, bound)) {
            plan(from, to, bound);
        }
        int limit = digests.limit(from, Math.min(to, plannedTo));
        batch.clear(source.maxAdded() + digests.maxAdded());
        int end = source.fill(from, limit, bound, batch);
        schemes.retain(batch);
        digests.mergeInto(batch, from, end);
        leaf.effort.matches += batch.size;
        return end;
    }

    /** A lower bound of the first match from {@code from} on. */
    int next(int from) throws IOException {
        if (source == null || from >= plannedTo) {
            return from;
        }
        int next = Math.min(source.next(from), digests.next(from));
        return plannedTo < leaf.maxDoc() ? Math.min(next, plannedTo) : next;
    }

    /**
     * Plans for callers with small windows. If it is cheap, one plan covers the rest of the leaf. If not, other threads may search the
     * rest; then each plan covers a range twice as long, up to the length that is worth opening the postings for.
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
