/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;

/**
 * The links that connect the members of each group and no more: by a tree of them every document but one has a link to another one
 * that is nearer to that. Which one it is can be chosen. Linear but for trees that are connected again and again: of two, the smaller
 * one is turned. One thread.
 */
final class LinkTree {

    private static final int NONE = -1;

    /** At the other end of a document's link. */
    private final int[] parents;

    private final double[] similarities;
    /** By the number of a set. */
    private final int[] sizes;

    LinkTree(int documents) {
        this.parents = new int[documents];
        this.similarities = new double[documents];
        this.sizes = new int[documents];
        Arrays.fill(parents, NONE);
        Arrays.fill(similarities, Double.NaN);
        Arrays.fill(sizes, 1);
    }

    /** Unites the sets of two documents, which are not the same one, by a link of a similarity. */
    void unite(DisjointSets sets, int a, int b, double similarity) {
        int first = sets.root(a);
        int second = sets.root(b);
        int turned = sizes[first] < sizes[second] ? a : b;
        root(turned);
        parents[turned] = turned == a ? b : a;
        similarities[turned] = similarity;
        sets.unite(a, b);
        sizes[sets.root(a)] = sizes[first] + sizes[second];
    }

    /** From now on this is the document of its tree that has no link. */
    void root(int document) {
        int next = NONE;
        double similarity = Double.NaN;
        for (int i = document; i != NONE; ) {
            int parent = parents[i];
            double ofParent = similarities[i];
            parents[i] = next;
            similarities[i] = similarity;
            next = i;
            similarity = ofParent;
            i = parent;
        }
    }

    /** Of a document's link; NaN when it has none. */
    double similarity(int document) {
        return similarities[document];
    }
}
