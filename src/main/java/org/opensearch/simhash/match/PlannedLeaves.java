/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;

/**
 * The leaves of a search that were opened and planned for an estimate, so that the search itself does not plan again.
 * Each is taken once, by the thread that planned: Lucene's readers are bound to their thread. About ten kilobytes per
 * leaf.
 */
public final class PlannedLeaves {

    private final Thread planner = Thread.currentThread();
    private final List<LeafReaderContext> contexts;
    /** By ordinal; null if nothing can match or it is taken. */
    private final LeafSearch[] leaves;

    private final double nanos;

    private PlannedLeaves(List<LeafReaderContext> contexts, LeafSearch[] leaves, double nanos) {
        this.contexts = contexts;
        this.leaves = leaves;
        this.nanos = nanos;
    }

    /**
     * Plans one leaf after the other.
     *
     * @param enough expected time after which further leaves are not planned
     */
    static PlannedLeaves of(List<LeafReaderContext> contexts, SimHashQuery.Search query, double enough)
            throws IOException {
        LeafSearch[] leaves = new LeafSearch[contexts.size()];
        double nanos = 0;
        for (int i = 0; i < leaves.length && nanos <= enough; i++) {
            leaves[i] = LeafSearch.open(contexts.get(i), query);
            nanos += leaves[i] == null ? 0 : leaves[i].expectedNanos();
        }
        return new PlannedLeaves(contexts, leaves, nanos);
    }

    /** Expected time to find all matches; a lower bound if some leaves are not planned. */
    public double nanos() {
        return nanos;
    }

    /** The leaf, if it is here and not taken; else null. */
    LeafSearch take(LeafReaderContext context) {
        int i = context.ord;
        boolean isMine = planner.equals(Thread.currentThread())
                && i < leaves.length
                && contexts.get(i).equals(context);
        if (isMine == false) {
            return null;
        }
        LeafSearch leaf = leaves[i];
        leaves[i] = null;
        return leaf;
    }
}
