/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.join.Linkage.LinkCheck;

/**
 * Links every member to its survivor directly. In order of rank, each free document (one without a group) becomes a
 * survivor. It takes the free documents linked to it, up to the size limit, and beyond that those that are equal to one that it
 * has. Of two that are kept apart, it takes the one with the better rank, and leaves to the other what is nearer to that.
 */
public final class SurvivorLinkage extends Linkage {

    private static final int REPORTED = 1 << 10;
    private static final int LARGER = 4;

    /** Members of cliques that are looked at to read texts ahead, perhaps in vain. */
    private static final int MOST_LOOKED = 5_000_000;

    private final boolean[] taken;
    private final boolean[] leftOver;
    private FreeLinked linked;

    /** Null before the first scan. */
    private FreeLinked scanned;

    /** Whether the growing group had no room for a member. */
    private boolean tooMany;

    /** Cliques of the growing group, once it is full. */
    private final Set<Integer> ofFull = new HashSet<>();

    public SurvivorLinkage(int documents, int maxGroupSize, LinkCheck check, IntConsumer progress) {
        super(maxGroupSize, check, progress);
        this.taken = new boolean[documents];
        this.leftOver = new boolean[documents];
    }

    /** Links the documents of a range of ranks, which follows the last one, by a graph that has all their links to free ones. */
    public void link(NearGraph graph, int from, int to) {
        linked = new FreeLinked(graph, null, taken, check);
        linkRange(from, to);
    }

    /** The same without links: compares each free document with all free ones, by the same scan in each call. */
    public void link(NearGraph graph, CliqueScan scan, int from, int to) {
        if (scanned == null) {
            scanned = new FreeLinked(graph, scan, taken, check);
        }
        linked = scanned;
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
                tooMany = false;
                ofFull.clear();
                if (check.isNeeded()) {
                    growVerified(document, to);
                } else {
                    grow(document);
                }
                taken[document] = true;
                end(document);
            }
        }
        texts.clear();
    }

    public void dropTaken(CliqueScan scan) {
        scan.drop(taken);
    }

    /** Whether a document is in a group, or is a survivor without members. */
    public boolean isTaken(int document) {
        return taken[document];
    }

    private void grow(int survivor) {
        int[] near = linked.of(survivor, maxGroupSize);
        int room = Math.min(near.length, maxGroupSize - 1);
        for (int i = 0; i < room; i++) {
            groups.grow(near[i], linked.distance(near[i]), Double.NaN);
        }
        if (room < near.length) {
            markFull(survivor);
            int[] equal = growEqual(survivor, near[room - 1], Set.of());
            for (int i = room; i < near.length; i++) {
                if (Arrays.binarySearch(equal, near[i]) < 0) {
                    leftOver[near[i]] = true;
                    tooMany = true;
                }
            }
        }
    }

    /** Adds a member if there is room, or if it is equal to one. */
    private void add(int survivor, int candidate, double similarity) {
        if (groups.growing() < maxGroupSize - 1) {
            groups.grow(candidate, linked.distance(candidate), similarity);
            return;
        }
        markFull(survivor);
        if (groups.growing() < MOST_EQUAL - 1 && cliques(candidate).anyMatch(ofFull::contains)) {
            groups.grow(candidate, linked.distance(candidate), similarity);
            cliques(candidate).forEach(ofFull::add);
        } else {
            tooMany = true;
            leftOver[candidate] = true;
        }
    }

    private void markFull(int survivor) {
        if (ofFull.isEmpty() && check.areCliquesEqual()) {
            cliques(survivor).forEach(ofFull::add);
            groups.forGrowing(member -> cliques(member).forEach(ofFull::add));
        }
    }

    private IntStream cliques(int document) {
        return linked.graph.cliques.of(document);
    }

    /** Adds to a full group what is linked to its survivor and equal to one of its documents. Returns all of those behind the last one looked at. */
    private int[] growEqual(int survivor, int last, Set<Integer> barred) {
        if (ofFull.isEmpty()) {
            return NONE;
        }
        int[] equal = NONE;
        linked.only = ofFull;
        for (int marked = 0; marked < ofFull.size(); ) {
            marked = ofFull.size();
            equal = Arrays.stream(linked.of(survivor, Integer.MAX_VALUE))
                    .filter(document -> document > last)
                    .toArray();
            Arrays.stream(equal).flatMap(this::cliques).forEach(ofFull::add);
        }
        linked.only = null;
        for (int i = 0; i < equal.length; i++) {
            if (groups.growing() >= MOST_EQUAL - 1) {
                tooMany = true;
                Arrays.stream(equal, i, equal.length).forEach(document -> leftOver[document] = true);
                return Arrays.copyOf(equal, i);
            }
            double similarity =
                    barred.contains(equal[i]) ? -1 : similarity(survivor, equal, i, equal.length, candidate -> true);
            // NaN, where nobody compares, is no refusal.
            if ((similarity < 0) == false) {
                groups.grow(equal[i], linked.distance(equal[i]), similarity);
                bar(equal[i], barred);
            }
        }
        return equal;
    }

    /** Reads the best candidates first, and more while there is room, up to one beyond the limit. */
    private void growVerified(int survivor, int to) {
        int patience = check.patience();
        int bestWanted =
                Math.max(Math.min(maxGroupSize, MOST_CANDIDATES), patience == Integer.MAX_VALUE ? 0 : patience + 1);
        int[] first = check.isComparable(survivor) ? candidates(survivor, bestWanted) : NONE;
        if (check.comparesTexts()
                && first.length > 0
                && texts.contains(survivor, first, Math.min(bestWanted, patience)) == false) {
            long most = linked.looked + MOST_LOOKED;
            readAhead(
                    survivor,
                    linked == scanned ? survivor + 1 : to, // else it would scan around the next documents twice
                    next -> taken[next] || (linked.looked > most && next > survivor)
                            ? NONE
                            : candidates(next, MOST_CANDIDATES));
        }
        if (check.isComparable(survivor) == false) {
            return;
        }
        int[] near = NONE;
        int next = 0;
        int inVain = 0;
        Set<Integer> barred = new HashSet<>();
        bar(survivor, barred);
        for (boolean isLast = false; isLast == false && tooMany == false; bestWanted = larger(bestWanted)) {
            near = candidates(survivor, bestWanted);
            boolean areAll = near.length > patience;
            // Candidates beyond this place may not be the best ones.
            int end = areAll ? near.length : Math.min(near.length, bestWanted);
            isLast = areAll || near.length < bestWanted;
            for (; next < end && tooMany == false && inVain < patience; next++) {
                boolean isOut = barred.contains(near[next]) || belongsToRival(near[next], survivor, barred);
                double similarity = isOut ? -1 : similarity(survivor, near, next, end, candidate -> true);
                inVain = similarity < 0 ? inVain + 1 : 0;
                // NaN, where nobody compares, is no refusal.
                if ((similarity < 0) == false) {
                    add(survivor, near[next], similarity);
                    bar(near[next], barred);
                }
            }
            if (next < end && tooMany == false) {
                check.gaveUp();
            }
        }
        if (tooMany) {
            growEqual(survivor, near[next - 1], barred);
        }
        for (int i = 0; i < next; i++) {
            // It can be similar to no document: no later survivor looks at it again.
            taken[near[i]] |= check.isComparable(near[i]) == false;
        }
    }

    /** Ascending, but for more than are compared in vain: then all that a group takes, those with the most in common first. */
    private int[] candidates(int document, int bestWanted) {
        int[] near = linked.of(document, bestWanted);
        return near.length <= check.patience()
                ? near
                : inOrder(linked.of(document, Math.max(bestWanted, maxGroupSize)), linked.distances);
    }

    /** Once a document is in a group, those that are kept apart from it are not. So the best ranked one of them is. */
    private void bar(int document, Set<Integer> barred) {
        Arrays.stream(check.apartFrom(document)).forEach(barred::add);
    }

    /** Whether it is nearer to a document that is kept apart from the group, and is free to take it. */
    private boolean belongsToRival(int candidate, int survivor, Set<Integer> barred) {
        IntStream rivals = barred.stream().mapToInt(Integer::intValue).filter(rival -> taken[rival] == false);
        return barred.isEmpty() == false && belongsToAny(rivals, candidate, survivor, linked.graph);
    }

    private static int larger(int bestWanted) {
        return (int) Math.min(Integer.MAX_VALUE, (long) bestWanted * LARGER);
    }

    private void end(int survivor) {
        if (groups.growing() == 0) {
            return;
        }
        // A part of a group that was split before is no further one.
        splitGroups += tooMany && leftOver[survivor] == false ? 1 : 0;
        groups.end(survivor);
        for (int member : groups.getLast().members()) {
            taken[member] = true;
        }
    }

    /**
     * Finds the free documents linked to a document, in order of rank. The links come from the graph or from a scan. It skips taken
     * documents at the start of a clique for good, so a clique of a million is read once, not once per group. Not thread-safe.
     */
    static final class FreeLinked {

        private final NearGraph graph;

        /** Null if the graph has the links. */
        private final CliqueScan scan;

        private final boolean[] taken;
        private final LinkCheck check;

        /** Of cliques whose free documents all have one {@link LinkCheck#apartKey}; 0 where that is not known. Null before the first key. */
        private long[] apart;

        private final int[] firstFree;
        private final int[] seenIn;
        /** Without patience, which only texts have, the number of cliques in common but for one. */
        private final byte[] distances;

        private final boolean isPatient;
        private int[] found = new int[64];
        private int size;
        private int round;
        /** Members of cliques so far. */
        private long looked;

        /** Cliques to look at; null for all. */
        private Set<Integer> only;

        FreeLinked(NearGraph graph, CliqueScan scan, boolean[] taken, LinkCheck check) {
            this.graph = graph;
            this.scan = scan;
            this.taken = taken;
            this.check = check;
            this.isPatient = check.patience() == Integer.MAX_VALUE;
            this.distances = new byte[graph.documents()];
            this.seenIn = new int[graph.documents()];
            this.firstFree = new int[graph.cliques()];
            Arrays.setAll(firstFree, graph.members::start);
        }

        /** Free documents that may be linked with it, ascending, without itself: the best wanted ones and perhaps more. */
        int[] of(int document, int bestWanted) {
            size = 0;
            round++;
            for (int i = graph.cliques.start(document); i < graph.cliques.end(document); i++) {
                int clique = graph.cliques.at(i);
                addMembers(document, clique, 0, bestWanted);
                if (scan != null) {
                    int near = scan.around(clique);
                    for (int j = 0; j < near; j++) {
                        addMembers(document, scan.near(j), scan.distance(j), bestWanted);
                    }
                    continue;
                }
                for (int link = graph.links.start(clique); link < graph.links.end(clique); link++) {
                    addMembers(document, graph.links.at(link), graph.linkDistance(link), bestWanted);
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

        private void addMembers(int document, int clique, int distance, int bestWanted) {
            long key = check.apartKey(document);
            apart = key != 0 && apart == null ? new long[graph.cliques()] : apart;
            if ((key != 0 && apart[clique] == key) || (only != null && only.contains(clique) == false)) {
                return;
            }
            int end = graph.members.end(clique);
            int first = firstFree[clique];
            while (first < end && taken[graph.members.at(first)]) {
                first++;
            }
            firstFree[clique] = first;
            int added = 0;
            int next = first;
            for (; next < end && added < bestWanted; next++) {
                int member = graph.members.at(next);
                looked++;
                if (taken[member] || member == document) {
                    continue;
                }
                key = key == 0 || check.apartKey(member) != key ? 0 : key;
                if (check.mayLink(document, member) == false) {
                    continue;
                }
                added++;
                if (seenIn[member] == round) {
                    distances[member] =
                            isPatient ? (byte) Math.min(distances[member], distance) : oneMore(distances[member]);
                    continue;
                }
                seenIn[member] = round;
                distances[member] = (byte) distance;
                if (size == found.length) {
                    found = Arrays.copyOf(found, 2 * size);
                }
                found[size++] = member;
            }
            if (next == end && key != 0) {
                // Documents that are free only become fewer.
                apart[clique] = key;
            }
        }
    }
}
