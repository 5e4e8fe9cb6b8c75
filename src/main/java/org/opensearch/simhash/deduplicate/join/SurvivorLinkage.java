/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Every member is a near-duplicate of its survivor itself: in the order of their rank, each document that is free becomes a survivor
 * and takes all free documents near to it, as many as a group may have.
 */
public final class SurvivorLinkage extends Linkage {

    private static final int REPORTED = 1 << 10;
    private static final int LARGER = 4;

    private final boolean[] taken;
    private final boolean[] leftOver;
    private Neighbours neighbours;
    private FullSurvivors full;

    public SurvivorLinkage(int documents, int maxGroupSize, EdgeCheck check, IntConsumer progress) {
        super(maxGroupSize, check, progress);
        this.taken = new boolean[documents];
        this.leftOver = new boolean[documents];
    }

    /** Links all documents. */
    public List<Group> link(NearGraph graph) {
        link(graph, 0, taken.length);
        return groups;
    }

    /**
     * Links the documents that have a rank in a range, which follows that of the call before.
     *
     * @param graph has all links of these documents to free ones
     */
    public void link(NearGraph graph, int from, int to) {
        neighbours = new Neighbours(graph, taken);
        full = new FullSurvivors(graph);
        for (int document = from; document < to; document++) {
            if (document % REPORTED == 0) {
                progress.accept(document);
            }
            if (taken[document] == false) {
                GroupMembers members = check.isNeeded() ? verified(document, to) : near(document);
                taken[document] = true;
                add(document, members);
            }
        }
        texts.clear();
    }

    /** Whether a document is in a group, or has become a survivor without members. */
    public boolean isTaken(int document) {
        return taken[document];
    }

    /** The groups so far. */
    public List<Group> groups() {
        return groups;
    }

    private GroupMembers near(int survivor) {
        GroupMembers members = new GroupMembers(maxGroupSize);
        for (int candidate : neighbours.of(survivor, maxGroupSize)) {
            leftOver[candidate] |= members.add(candidate, neighbours.distance(candidate), Double.NaN) == false;
        }
        return members;
    }

    /** Looks at the best candidates first, and at more as long as there is room: at one more than there is room for. */
    private GroupMembers verified(int survivor, int to) {
        int most = Math.min(maxGroupSize, TextWindow.SIZE);
        readAhead(survivor, to, most);
        GroupMembers members = new GroupMembers(maxGroupSize);
        int next = 0;
        for (boolean isLast = false; isLast == false && members.tooMany() == false; most = larger(most)) {
            int[] near = neighbours.of(survivor, most);
            // What comes after so many may lack others that are better.
            int end = Math.min(near.length, most);
            isLast = near.length < most;
            for (; next < end && members.tooMany() == false; next++) {
                texts.require(survivor, near, next, end, candidate -> true);
                double similarity = check.similarity(survivor, near[next]);
                if (similarity >= 0) {
                    leftOver[near[next]] |=
                            members.add(near[next], neighbours.distance(near[next]), similarity) == false;
                }
            }
        }
        return members;
    }

    /** With the texts for a survivor, those for the next ones are read when there is room. */
    private void readAhead(int survivor, int to, int most) {
        int[] first = neighbours.of(survivor, most);
        if (first.length == 0 || texts.contains(survivor, first, most)) {
            return;
        }
        progress.accept(survivor);
        for (int document = survivor; document < to && texts.isFull() == false; document++) {
            if (taken[document] == false) {
                int[] near = neighbours.of(document, TextWindow.SIZE);
                if (near.length > 0) {
                    texts.add(document);
                    Arrays.stream(near).limit(TextWindow.SIZE).forEach(texts::add);
                }
            }
        }
        texts.read();
    }

    private static int larger(int most) {
        return (int) Math.min(Integer.MAX_VALUE, (long) most * LARGER);
    }

    private void add(int survivor, GroupMembers members) {
        if (members.isEmpty()) {
            return;
        }
        if (members.tooMany()) {
            splitGroups += isLeftOver(survivor) ? 0 : 1;
            if (check.isNeeded()) {
                full.add(survivor);
            }
        }
        Group group = members.of(survivor);
        for (int member : group.members()) {
            taken[member] = true;
        }
        groups.add(group);
    }

    /** Whether there was no room for a document in a group before: its own group is a part of that one. */
    private boolean isLeftOver(int document) {
        if (leftOver[document] || check.isNeeded() == false) {
            return leftOver[document];
        }
        // Of those that had to stay behind, only the first one was looked for.
        int[] survivors = full.near(document);
        for (int i = 0; i < survivors.length; i++) {
            texts.require(document, survivors, i, survivors.length, survivor -> true);
            if (check.similarity(survivors[i], document) >= 0) {
                return true;
            }
        }
        return false;
    }
}
