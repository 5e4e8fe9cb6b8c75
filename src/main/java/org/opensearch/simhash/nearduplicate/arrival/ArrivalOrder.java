/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

/**
 * The order in which documents came, on all nodes. An order is the stamp of the round that a document belongs to, and its place in
 * there. Stamps are those of a logical clock (Lamport, "Time, clocks, and the ordering of events in a distributed system"): a node
 * counts them up, and goes on from the highest one that it heard of. So what a node does after it heard of a round is later than
 * that round, whatever the clocks on the walls say.
 *
 * <p>Rounds of two nodes may have one stamp: then the node with the lower id comes first. Pure functions.
 */
public final class ArrivalOrder {

    /** Documents of a round are fewer than two to this power. */
    private static final int PLACE_BITS = 10;

    private ArrivalOrder() {}

    /** Of the first document of a round; that of the others follow. */
    public static long first(long stamp) {
        return stamp << PLACE_BITS;
    }

    /** Of the round that a document belongs to. */
    public static long stamp(long order) {
        return order >>> PLACE_BITS;
    }

    /**
     * The lowest order, on one node, of what does not come before a round of another node.
     *
     * @param stamp of that round
     * @param isFirst whether the one node comes first where both have one stamp
     */
    public static long end(long stamp, boolean isFirst) {
        return first(isFirst ? stamp + 1 : stamp);
    }
}
