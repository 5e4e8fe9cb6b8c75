/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a job with {@code "linkage": "chain"} has to report, found by comparing each document with each.
 *
 * @param pairs of near-duplicates
 * @param groups of two and more
 * @param duplicates documents in groups but for one of each
 * @param largest documents in the largest group
 */
record Groups(long pairs, long groups, long duplicates, long largest) {

    static Groups of(List<Stored> documents, int maxDistance) {
        int[] parents = new int[documents.size()];
        long pairs = 0;
        for (int i = 0; i < parents.length; i++) {
            parents[i] = i;
            for (int other = 0; other < i; other++) {
                if (documents.get(i).distance(documents.get(other)) <= maxDistance) {
                    pairs++;
                    parents[root(parents, i)] = root(parents, other);
                }
            }
        }
        Map<Integer, Long> sizes = new HashMap<>();
        for (int i = 0; i < parents.length; i++) {
            sizes.merge(root(parents, i), 1L, Long::sum);
        }
        long groups = sizes.values().stream().filter(size -> size > 1).count();
        long largest = groups == 0
                ? 0
                : sizes.values().stream().mapToLong(Long::longValue).max().getAsLong();
        return new Groups(pairs, groups, parents.length - sizes.size(), largest);
    }

    private static int root(int[] parents, int document) {
        int root = document;
        while (parents[root] != root) {
            parents[root] = parents[parents[root]];
            root = parents[root];
        }
        return root;
    }
}
