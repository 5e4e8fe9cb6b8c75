/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;

/**
 * Finds the free documents linked to a document, in order of rank. The links come from the graph or from a scan. It
 * skips taken documents at the start of a clique for good, so a clique of a million is read once, not once per group.
 * Not thread-safe.
 */
final class FreeLinked {

    private final NearGraph graph;

    /** Null if the graph has the links. */
    private final CliqueScan scan;

    private final boolean[] taken;
    private final LinkCheck check;

    /** Of cliques whose free documents all have one {@link LinkCheck#apartKey}; 0 where that is not known. */
    private final long[] apart;

    /** The document that showed it: for that one repeated calls must not lose what came before. */
    private final int[] apartSince;

    private final int[] firstFree;
    private final int[] seenIn;
    private final byte[] distances;
    private int[] found = new int[64];
    private int size;
    private int round;

    FreeLinked(NearGraph graph, CliqueScan scan, boolean[] taken, LinkCheck check) {
        this.graph = graph;
        this.scan = scan;
        this.taken = taken;
        this.check = check;
        this.apart = new long[check.isNeeded() ? graph.cliques() : 0];
        this.apartSince = new int[apart.length];
        this.distances = new byte[graph.documents()];
        this.seenIn = new int[graph.documents()];
        this.firstFree = new int[graph.cliques()];
        for (int clique = 0; clique < firstFree.length; clique++) {
            firstFree[clique] = graph.memberStart(clique);
        }
    }

    /**
     * @param most how many of the best are wanted; the answer may have more
     * @return free documents, ascending, without the document itself
     */
    int[] of(int document, int most) {
        size = 0;
        round++;
        for (int i = graph.cliqueStart(document); i < graph.cliqueEnd(document); i++) {
            int clique = graph.clique(i);
            addMembers(document, clique, 0, most);
            if (scan != null) {
                int near = scan.around(clique);
                for (int j = 0; j < near; j++) {
                    addMembers(document, scan.near(j), scan.distance(j), most);
                }
                continue;
            }
            for (int link = graph.linkStart(clique); link < graph.linkEnd(clique); link++) {
                addMembers(document, graph.link(link), graph.linkDistance(link), most);
            }
        }
        int[] linked = Arrays.copyOf(found, size);
        Arrays.sort(linked);
        return linked;
    }

    /** Distance of a document of the last answer. */
    byte distance(int document) {
        return distances[document];
    }

    private void addMembers(int document, int clique, int distance, int most) {
        if (check.isNeeded()
                && apart[clique] != 0
                && apartSince[clique] != document
                && apart[clique] == check.apartKey(document)) {
            return;
        }
        int end = graph.memberEnd(clique);
        int first = firstFree[clique];
        while (first < end && taken[graph.member(first)]) {
            first++;
        }
        firstFree[clique] = first;
        int added = 0;
        int next = first;
        long key = check.apartKey(document);
        for (; next < end && added < most; next++) {
            int member = graph.member(next);
            if (taken[member] || member == document) {
                continue;
            }
            key = key == 0 || check.apartKey(member) != key ? 0 : key;
            added++;
            if (seenIn[member] == round) {
                distances[member] = (byte) Math.min(distances[member], distance);
                continue;
            }
            seenIn[member] = round;
            distances[member] = (byte) distance;
            if (size == found.length) {
                found = Arrays.copyOf(found, 2 * size);
            }
            found[size++] = member;
        }
        if (next == end && key != 0 && apart[clique] == 0) {
            // Documents that are free only become fewer.
            apart[clique] = key;
            apartSince[clique] = document;
        }
    }
}
