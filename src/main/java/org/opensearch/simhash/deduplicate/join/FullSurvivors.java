/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Survivors of groups that were full before all similar documents were in them. Not thread-safe. */
final class FullSurvivors {

    private final NearGraph graph;

    /** Null if the graph has the links. */
    private final NearCliques scan;

    private final Map<Integer, List<Integer>> byClique = new HashMap<>();
    private int[] cliques = new int[16];
    private int size;

    FullSurvivors(NearGraph graph, NearCliques scan) {
        this.graph = graph;
        this.scan = scan;
    }

    void add(int survivor) {
        for (int i = graph.cliqueStart(survivor); i < graph.cliqueEnd(survivor); i++) {
            byClique.computeIfAbsent(graph.clique(i), clique -> new ArrayList<>())
                    .add(survivor);
        }
    }

    /** Adds one for {@link #isNearAny} only. Each document has one clique. */
    void addClique(int survivor) {
        if (size == cliques.length) {
            cliques = Arrays.copyOf(cliques, 2 * size);
        }
        cliques[size++] = graph.clique(graph.cliqueStart(survivor));
    }

    /** Whether a document is near any. Most are near one of the first. */
    boolean isNearAny(int document) {
        int clique = graph.clique(graph.cliqueStart(document));
        for (int i = 0; i < size; i++) {
            if (scan.isNear(clique, cliques[i])) {
                return true;
            }
        }
        return false;
    }

    /** The survivors near a document, ascending. */
    int[] near(int document) {
        SortedSet<Integer> near = new TreeSet<>();
        for (int i = graph.cliqueStart(document); i < graph.cliqueEnd(document) && byClique.isEmpty() == false; i++) {
            int clique = graph.clique(i);
            if (scan != null) {
                byClique.forEach((full, survivors) -> {
                    if (scan.isNear(clique, full)) {
                        near.addAll(survivors);
                    }
                });
                continue;
            }
            near.addAll(byClique.getOrDefault(clique, List.of()));
            for (int link = graph.linkStart(clique); link < graph.linkEnd(clique); link++) {
                near.addAll(byClique.getOrDefault(graph.link(link), List.of()));
            }
        }
        return near.stream().mapToInt(Integer::intValue).toArray();
    }
}
