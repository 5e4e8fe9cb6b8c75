/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Finds the cliques near a clique when nobody keeps links. Not thread-safe. */
public interface NearCliques {

    /** Finds all near cliques with a free document, and perhaps others. Returns their number. */
    int around(int clique);

    /**
     * Whether documents and cliques correspond one to one and answers come by rank. Then a caller who needs some of the
     * best can stop early.
     */
    boolean areOrdered();

    /** A clique of the last answer. */
    int near(int i);

    /** Distance of a clique of the last answer. */
    int distance(int i);

    /** Whether two cliques are linked or the same. */
    boolean isNear(int a, int b);

    /** Number of compared pairs. */
    long compared();

    /** Drops the cliques whose documents are all taken. */
    void drop(boolean[] taken);
}
