/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;

/** Union-find over positions. The root of a set is its lowest position. Not thread-safe. */
final class DisjointSets {

    static final int BYTES = Integer.BYTES;

    private int[] parents;

    DisjointSets(int positions) {
        this.parents = new int[positions];
        Arrays.setAll(parents, i -> i);
    }

    int size() {
        return parents.length;
    }

    void grow(int positions) {
        int before = parents.length;
        parents = Arrays.copyOf(parents, positions);
        for (int i = before; i < positions; i++) {
            parents[i] = i;
        }
    }

    /** Returns whether the two were in different sets. */
    boolean unite(int a, int b) {
        int first = root(a);
        int second = root(b);
        parents[Math.max(first, second)] = Math.min(first, second);
        return first != second;
    }

    int root(int position) {
        int root = position;
        while (parents[root] != root) {
            parents[root] = parents[parents[root]];
            root = parents[root];
        }
        return root;
    }
}
