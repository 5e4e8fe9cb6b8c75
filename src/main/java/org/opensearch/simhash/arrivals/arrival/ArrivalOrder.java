/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

/**
 * The order of documents on all nodes: the stamp of a round, and the document's place in the round. Stamps come from a
 * logical clock (Lamport, "Time, clocks, and the ordering of events in a distributed system"). If two rounds have the same
 * stamp, the node with the lower id comes first. A node counts up from the highest stamp that it gave or heard, so that a round has a
 * higher stamp than every round that its node heard of before.
 */
public final class ArrivalOrder {

    /** A round has fewer documents than two to this power. */
    private static final int PLACE_BITS = 10;

    private ArrivalOrder() {}

    /** The order of a round's first document; the others follow. */
    public static long first(long stamp) {
        return stamp << PLACE_BITS;
    }

    public static long stamp(long order) {
        return order >>> PLACE_BITS;
    }

    /**
     * The lowest order of one node that does not come before a round of another node.
     *
     * @param isFirst whether the one node comes first if stamps are equal
     */
    public static long end(long stamp, boolean isFirst) {
        return first(isFirst ? stamp + 1 : stamp);
    }
}
