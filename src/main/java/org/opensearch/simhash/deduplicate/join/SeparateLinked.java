/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;

/**
 * Finds the later documents that are linked to a document and belong to other sets. Each clique remembers which of its
 * documents are in one large set, so only the others are read. Not thread-safe.
 */
final class SeparateLinked {

    private final NearGraph graph;
    private final DisjointSets sets;
    /** Per clique: up to {@code ends} members that may be in other sets than {@code mains}, then the rest. */
    private final int[] members;

    private final int[] ends;
    private final int[] mains;
    private final int[] seenIn;
    private int[] found = new int[64];
    private int size;
    private int round;

    /** @param sets may unite, and not part, while this is in use */
    SeparateLinked(NearGraph graph, DisjointSets sets) {
        this.graph = graph;
        this.sets = sets;
        this.ends = new int[graph.cliques()];
        this.mains = new int[graph.cliques()];
        this.members = new int[graph.cliques() == 0 ? 0 : graph.memberEnd(graph.cliques() - 1)];
        Arrays.setAll(members, graph::member);
        for (int clique = 0; clique < ends.length; clique++) {
            ends[clique] = graph.memberEnd(clique);
            mains[clique] = members[graph.memberStart(clique)];
        }
        this.seenIn = new int[graph.documents()];
    }

    /** Ascending. */
    int[] of(int document) {
        size = 0;
        round++;
        int root = sets.root(document);
        for (int i = graph.cliqueStart(document); i < graph.cliqueEnd(document); i++) {
            int clique = graph.clique(i);
            addMembers(document, root, clique);
            for (int link = graph.linkStart(clique); link < graph.linkEnd(clique); link++) {
                addMembers(document, root, graph.link(link));
            }
        }
        int[] linked = Arrays.copyOf(found, size);
        Arrays.sort(linked);
        return linked;
    }

    private void addMembers(int document, int root, int clique) {
        int start = graph.memberStart(clique);
        int end = graph.memberEnd(clique);
        if (sets.root(mains[clique]) == root) {
            ends[clique] = separate(document, root, start, ends[clique]);
            return;
        }
        int separated = separate(document, root, start, end);
        if (separated - start < end - separated) {
            mains[clique] = document;
            ends[clique] = separated;
        } else {
            // In any order. None is known to be in the set of the main document now.
            ends[clique] = end;
        }
    }

    /** Moves members of the set behind the others, and adds others that are later. Returns the start of the set. */
    private int separate(int document, int root, int from, int to) {
        int end = to;
        for (int i = from; i < end; ) {
            int member = members[i];
            if (sets.root(member) == root) {
                members[i] = members[--end];
                members[end] = member;
                continue;
            }
            i++;
            if (member > document && seenIn[member] != round) {
                seenIn[member] = round;
                if (size == found.length) {
                    found = Arrays.copyOf(found, 2 * size);
                }
                found[size++] = member;
            }
        }
        return end;
    }
}
