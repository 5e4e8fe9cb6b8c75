/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Finds the cliques near one clique after the other, where nobody keeps links. One thread. */
public interface NearCliques {

    /** Looks for those near a clique that have a free document, and perhaps for others; returns how many were found. */
    int around(int clique);

    /**
     * Whether each document has one clique and each clique one document, and those near come in the order of their ranks: whoever needs
     * some of the best can stop when there are enough.
     */
    boolean areOrdered();

    /** One of those that were found last. */
    int near(int i);

    /** The distance of one of those that were found last. */
    int distance(int i);

    /** Whether two cliques are linked, or the same. */
    boolean isNear(int a, int b);

    /** Pairs that were compared so far. */
    long compared();

    /** Drops the cliques of which every document is taken. */
    void drop(boolean[] taken);
}
