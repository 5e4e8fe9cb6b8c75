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

    private final boolean[] taken;
    private final boolean[] leftOver;
    private Neighbours neighbours;

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
        int expected = from;
        for (int document = from; document < to; document++) {
            if (document % REPORTED == 0) {
                progress.accept(document);
            }
            if (check.isNeeded() && document == expected) {
                expected = expectFrom(document, to);
            }
            if (taken[document] == false) {
                link(document);
            }
        }
    }

    /** Whether a document is in a group, or has become a survivor without members. */
    public boolean isTaken(int document) {
        return taken[document];
    }

    /** The groups so far. */
    public List<Group> groups() {
        return groups;
    }

    /** Returns the first document whose texts are not expected yet. */
    private int expectFrom(int first, int to) {
        progress.accept(first);
        Expected texts = new Expected();
        int document = first;
        while (document < to && texts.isFull() == false) {
            if (taken[document] == false) {
                int[] near = neighbours.of(document, Integer.MAX_VALUE);
                if (near.length > 0) {
                    texts.add(document);
                    Arrays.stream(near).forEach(texts::add);
                }
            }
            document++;
        }
        check.expect(texts.distinct());
        return document;
    }

    private void link(int survivor) {
        int[] near = neighbours.of(survivor, check.isNeeded() ? Integer.MAX_VALUE : maxGroupSize);
        int[] members = new int[Math.min(near.length, maxGroupSize - 1)];
        byte[] distances = new byte[members.length];
        double[] similarities = new double[members.length];
        int size = 0;
        boolean tooLarge = false;
        for (int candidate : near) {
            double similarity = check.isNeeded() ? check.similarity(survivor, candidate) : Double.NaN;
            if (similarity < 0) {
                continue;
            }
            if (size == members.length) {
                tooLarge = true;
                leftOver[candidate] = true;
                continue;
            }
            members[size] = candidate;
            distances[size] = neighbours.distance(candidate);
            similarities[size++] = similarity;
        }
        taken[survivor] = true;
        if (size == 0) {
            return;
        }
        if (tooLarge && leftOver[survivor] == false) {
            splitGroups++;
        }
        for (int i = 0; i < size; i++) {
            taken[members[i]] = true;
        }
        groups.add(new Group(
                survivor,
                Arrays.copyOf(members, size),
                Arrays.copyOf(distances, size),
                Arrays.copyOf(similarities, size)));
    }
}
