/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Connected components, by union-find: what is near to a member is a member. A component that is too large is cut by rank, so that
 * the parts do not depend on the order in which pairs were found.
 */
public final class ChainLinkage extends Linkage {

    private final NearGraph graph;
    private final int[] parents;
    private final double[] similarities;

    public ChainLinkage(NearGraph graph, int maxGroupSize, EdgeCheck check, IntConsumer progress) {
        super(maxGroupSize, check, progress);
        this.graph = graph;
        this.parents = new int[graph.documents()];
        this.similarities = new double[graph.documents()];
        for (int i = 0; i < parents.length; i++) {
            parents[i] = i;
        }
        Arrays.fill(similarities, Double.NaN);
    }

    /** The groups of two documents or more, by the rank of their survivors. */
    public List<Group> groups() {
        if (check.isNeeded()) {
            uniteVerified();
        } else {
            uniteAll();
        }
        collect();
        return groups;
    }

    private void uniteAll() {
        for (int clique = 0; clique < graph.cliques(); clique++) {
            int first = graph.member(graph.memberStart(clique));
            for (int i = graph.memberStart(clique) + 1; i < graph.memberEnd(clique); i++) {
                unite(first, graph.member(i));
            }
            for (int link = graph.linkStart(clique); link < graph.linkEnd(clique); link++) {
                unite(first, graph.member(graph.memberStart(graph.link(link))));
            }
        }
    }

    private void uniteVerified() {
        Neighbours neighbours = new Neighbours(graph, new boolean[graph.documents()]);
        int expected = 0;
        for (int document = 0; document < graph.documents(); document++) {
            if (document == expected) {
                expected = expectFrom(document, neighbours);
            }
            for (int other : neighbours.of(document, Integer.MAX_VALUE)) {
                if (other > document && root(other) != root(document)) {
                    double similarity = check.similarity(document, other);
                    if (similarity >= 0) {
                        similarities[Double.isNaN(similarities[other]) ? other : document] = similarity;
                        unite(document, other);
                    }
                }
            }
        }
    }

    private int expectFrom(int first, Neighbours neighbours) {
        progress.accept(first);
        Expected texts = new Expected();
        int document = first;
        while (document < graph.documents() && texts.isFull() == false) {
            for (int other : neighbours.of(document, Integer.MAX_VALUE)) {
                if (other > document && root(other) != root(document)) {
                    texts.add(document);
                    texts.add(other);
                }
            }
            document++;
        }
        check.expect(texts.distinct());
        return document;
    }

    /** The root of a set is its best member. */
    private void unite(int a, int b) {
        int first = root(a);
        int second = root(b);
        parents[Math.max(first, second)] = Math.min(first, second);
    }

    private int root(int document) {
        int root = document;
        while (parents[root] != root) {
            parents[root] = parents[parents[root]];
            root = parents[root];
        }
        return root;
    }

    private void collect() {
        int[] sizes = new int[parents.length + 1];
        for (int i = 0; i < parents.length; i++) {
            sizes[root(i) + 1]++;
        }
        for (int i = 0; i < parents.length; i++) {
            sizes[i + 1] += sizes[i];
        }
        int[] next = Arrays.copyOf(sizes, parents.length);
        int[] byRoot = new int[parents.length];
        for (int i = 0; i < parents.length; i++) {
            byRoot[next[root(i)]++] = i;
        }
        for (int root = 0; root < parents.length; root++) {
            int size = sizes[root + 1] - sizes[root];
            splitGroups += size > maxGroupSize ? 1 : 0;
            for (int start = sizes[root]; start < sizes[root + 1] - 1; start += maxGroupSize) {
                int end = Math.min(sizes[root + 1], start + maxGroupSize);
                if (end - start > 1) {
                    groups.add(group(byRoot, start, end));
                }
            }
        }
        groups.sort((a, b) -> Integer.compare(a.survivor(), b.survivor()));
    }

    private Group group(int[] byRoot, int start, int end) {
        int survivor = byRoot[start];
        int[] members = Arrays.copyOfRange(byRoot, start + 1, end);
        byte[] distances = new byte[members.length];
        double[] verified = new double[members.length];
        for (int i = 0; i < members.length; i++) {
            distances[i] = (byte) graph.distance(survivor, members[i]);
            verified[i] = similarities[members[i]];
        }
        return new Group(survivor, members, distances, verified);
    }
}
