/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;

/**
 * A spanning tree of links for each group: every document but the root has a link to its parent. Any document can
 * become the root. A union turns the smaller tree. Not thread-safe.
 */
final class LinkTree {

    private static final int NONE = -1;

    private final int[] parents;

    private final double[] similarities;
    /** By root of the set. */
    private final int[] sizes;

    LinkTree(int documents) {
        this.parents = new int[documents];
        this.similarities = new double[documents];
        this.sizes = new int[documents];
        Arrays.fill(parents, NONE);
        Arrays.fill(similarities, Double.NaN);
        Arrays.fill(sizes, 1);
    }

    /** Unites two different sets by a link between two documents. */
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

    /** Makes a document the root of its tree. */
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

    /** Similarity of a document and its parent; NaN for a root. */
    double similarity(int document) {
        return similarities[document];
    }
}
