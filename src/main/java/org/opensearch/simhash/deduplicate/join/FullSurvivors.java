/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Survivors of groups that were full before all similar documents were in them. Not thread-safe. */
final class FullSurvivors {

    private final NearGraph graph;

    /** Null if the graph has the links. */
    private final CliqueScan scan;

    private final Map<Integer, List<Integer>> byClique = new HashMap<>();

    FullSurvivors(NearGraph graph, CliqueScan scan) {
        this.graph = graph;
        this.scan = scan;
    }

    void add(int survivor) {
        for (int i = graph.cliqueStart(survivor); i < graph.cliqueEnd(survivor); i++) {
            byClique.computeIfAbsent(graph.clique(i), clique -> new ArrayList<>())
                    .add(survivor);
        }
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
