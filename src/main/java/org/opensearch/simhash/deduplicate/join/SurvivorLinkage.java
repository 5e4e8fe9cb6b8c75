/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Links every member to its survivor directly. In order of rank, each free document becomes a survivor and takes the
 * free documents linked to it, up to the size limit.
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

    /** Null before the first scan. */
    private Scanned scanned;

    private boolean readsAhead;

    /** Whether nobody reads the documents beyond the size limit. */
    private boolean stopsEarly;

    /** Survivors of full groups that may have been left over themselves. */
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
     * Links the documents of a range of ranks, which follows the range of the last call.
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
     * The same without links: compares each free document with all free ones.
     *
     * @param scan of the same graph, the same one in each call
     */
    public void link(NearGraph graph, NearCliques scan, int from, int to) {
        if (scanned == null) {
            scanned = new Scanned(scan, new Neighbours(graph, scan, taken), new FullSurvivors(graph, scan));
        }
        neighbours = scanned.neighbours;
        full = scanned.full;
        stopsEarly = scan.areOrdered();
        // Reading ahead would scan around the next documents twice.
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

    public void dropTaken(NearCliques scan) {
        scan.drop(taken);
    }

    /** Whether a document is in a group, or is a survivor without members. */
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

    /** Reads the best candidates first, and more while there is room, up to one beyond the limit. */
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
            // Beyond {@code most}, better candidates may be missing.
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
            // No survivor can take it, so nobody needs to see it again.
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
                    // Decided at the end: the texts of many survivors would replace those that are read ahead.
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
     * Whether an earlier full group had no room for a survivor, so that its own group is a part of that one. This is
     * for groups that looked only for the first document without room.
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
