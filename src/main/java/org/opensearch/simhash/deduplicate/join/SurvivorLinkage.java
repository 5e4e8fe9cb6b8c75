/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Every member is a near-duplicate of its survivor itself: in the order of their rank, each document that is free becomes a survivor
 * and takes all free documents near to it, as many as a group may have.
 */
public final class SurvivorLinkage extends Linkage {

    private static final int REPORTED = 1 << 10;
    private static final int LARGER = 4;
    private static final int FEW = 16;

    private record Scanned(NearCliques scan, Neighbours neighbours, FullSurvivors full) {}

    private final boolean[] taken;
    private final boolean[] leftOver;
    private Neighbours neighbours;
    private FullSurvivors full;

    /** Null when there was no scan yet. */
    private Scanned scanned;

    private boolean readsAhead;

    /** Whether nobody looks at those for whom there is no room. */
    private boolean stopsEarly;

    /** Survivors of full groups who may have been left over themselves. */
    private final List<Integer> unsure = new ArrayList<>();

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
        neighbours = new Neighbours(graph, null, taken);
        full = new FullSurvivors(graph, null);
        readsAhead = true;
        stopsEarly = false;
        linkRange(from, to);
    }

    /**
     * Links the documents that have a rank in a range, as {@link #link}, without links: compares each that is free with all that
     * are.
     *
     * @param graph its cliques
     * @param scan of the same graph, the same each time
     */
    public void link(NearGraph graph, NearCliques scan, int from, int to) {
        if (scanned == null) {
            scanned = new Scanned(scan, new Neighbours(graph, scan, taken), new FullSurvivors(graph, scan));
        }
        neighbours = scanned.neighbours;
        full = scanned.full;
        stopsEarly = scan.areOrdered();
        // It would look around each of the next ones a second time.
        readsAhead = false;
        for (int first = from; first < to; first += REPORTED) {
            scan.drop(taken);
            linkRange(first, Math.min(to, first + REPORTED));
        }
    }

    private void linkRange(int from, int to) {
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
        for (int survivor : unsure) {
            splitGroups += isLeftOver(survivor) ? 0 : 1;
        }
        unsure.clear();
        texts.clear();
    }

    /** A scan compares with those that are free, and not with others. */
    public void dropTaken(NearCliques scan) {
        scan.drop(taken);
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
        GroupMembers members = new GroupMembers(maxGroupSize);
        int[] first = check.isComparable(survivor) ? neighbours.of(survivor, most) : NONE;
        if (first.length > 0 && texts.contains(survivor, first, most) == false) {
            readAhead(
                    survivor,
                    readsAhead ? to : survivor + 1,
                    next -> taken[next] ? NONE : neighbours.of(next, TextWindow.SIZE));
        }
        if (check.isComparable(survivor) == false) {
            return members;
        }
        int[] near = NONE;
        int next = 0;
        for (boolean isLast = false; isLast == false && members.tooMany() == false; most = larger(most)) {
            near = neighbours.of(survivor, most);
            // What comes after so many may lack others that are better.
            int end = Math.min(near.length, most);
            isLast = near.length < most;
            for (; next < end && members.tooMany() == false; next++) {
                double similarity = similarity(survivor, near, next, end);
                if (similarity >= 0) {
                    leftOver[near[next]] |=
                            members.add(near[next], neighbours.distance(near[next]), similarity) == false;
                }
            }
        }
        for (int i = 0; i < next; i++) {
            // No survivor can take it: out of the way of all others.
            taken[near[i]] |= check.isComparable(near[i]) == false;
        }
        return members;
    }

    private double similarity(int survivor, int[] near, int next, int end) {
        if (check.isComparable(near[next])) {
            texts.require(survivor, near, next, end, candidate -> true);
        }
        return check.isComparable(near[next]) ? check.similarity(survivor, near[next]) : -1;
    }

    private static int larger(int most) {
        return (int) Math.min(Integer.MAX_VALUE, (long) most * LARGER);
    }

    private void add(int survivor, GroupMembers members) {
        if (members.isEmpty()) {
            return;
        }
        if (members.tooMany()) {
            if (check.isNeeded() == false) {
                splitGroups += leftOver[survivor] || (stopsEarly && full.isNearAny(survivor)) ? 0 : 1;
                if (stopsEarly) {
                    full.addClique(survivor);
                }
            } else {
                full.add(survivor);
                if (leftOver[survivor] == false) {
                    // Later: texts of many survivors would take the place of those that are read ahead.
                    unsure.add(survivor);
                }
            }
        }
        Group group = members.of(survivor);
        for (int member : group.members()) {
            taken[member] = true;
        }
        groups.add(group);
    }

    /**
     * Whether there was no room for a survivor in a group before, where only the first one without room was looked for: its own
     * group is a part of that one.
     */
    private boolean isLeftOver(int document) {
        int[] survivors = full.near(document);
        int step = FEW;
        for (int i = 0; i < survivors.length && survivors[i] < document; i++) {
            if (i == step) {
                step *= LARGER;
            }
            texts.require(document, survivors, i, Math.min(step, survivors.length), survivor -> true);
            if (check.similarity(survivors[i], document) >= 0) {
                return true;
            }
        }
        return false;
    }
}
