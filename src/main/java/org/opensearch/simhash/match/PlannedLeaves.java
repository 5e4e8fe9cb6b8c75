/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;

/**
 * The Lucene leaves of a search as they were opened and planned to tell how long it takes: for the search itself, which would
 * plan them again. Each is handed out once, and to the thread that planned: Lucene lets no other use what was opened of a reader.
 * Some ten kilobytes for each leaf.
 */
final class PlannedLeaves {

    private final Thread planner = Thread.currentThread();
    private final List<LeafReaderContext> contexts;
    /** By ordinal; null where nothing can match, or was taken. */
    private final LeafSearch[] leaves;

    private final double nanos;
    private final boolean isWhole;

    private PlannedLeaves(List<LeafReaderContext> contexts, LeafSearch[] leaves, double nanos, boolean isWhole) {
        this.contexts = contexts;
        this.leaves = leaves;
        this.nanos = nanos;
        this.isWhole = isWhole;
    }

    /**
     * Plans one leaf after the other.
     *
     * @param enough when it is expected to take longer, further leaves are not planned
     */
    static PlannedLeaves of(List<LeafReaderContext> contexts, SimHashQuery query, double enough) throws IOException {
        LeafSearch[] leaves = new LeafSearch[contexts.size()];
        double nanos = 0;
        for (int i = 0; i < leaves.length && nanos <= enough; i++) {
            leaves[i] = LeafSearch.open(contexts.get(i), query);
            nanos += leaves[i] == null ? 0 : leaves[i].expectedNanos();
        }
        return new PlannedLeaves(contexts, leaves, nanos, nanos <= enough);
    }

    /** How long it is expected to take to find all matches; more than enough when not {@link #isWhole}. */
    double nanos() {
        return nanos;
    }

    /** Whether all leaves were planned, because it does not take long. */
    boolean isWhole() {
        return isWhole;
    }

    /** The leaf, if it is one of these and was not taken before; else null. */
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
