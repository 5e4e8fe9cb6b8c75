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
    private final Neighbours neighbours;

    public SurvivorLinkage(NearGraph graph, int maxGroupSize, EdgeCheck check, IntConsumer progress) {
        super(graph, maxGroupSize, check, progress);
        this.taken = new boolean[graph.documents()];
        this.leftOver = new boolean[graph.documents()];
        this.neighbours = new Neighbours(graph, taken);
    }

    @Override
    public List<Group> groups() {
        int expected = 0;
        for (int document = 0; document < graph.documents(); document++) {
            if (document % REPORTED == 0) {
                progress.accept(document);
            }
            if (check.isNeeded() && document == expected) {
                expected = expectFrom(document);
            }
            if (taken[document] == false) {
                link(document);
            }
        }
        return groups;
    }

    /** Returns the first document whose texts are not expected yet. */
    private int expectFrom(int first) {
        progress.accept(first);
        Expected texts = new Expected();
        int document = first;
        while (document < graph.documents() && texts.isFull() == false) {
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
