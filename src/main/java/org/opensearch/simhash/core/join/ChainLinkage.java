/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.join.Linkage.LinkCheck;

/**
 * Groups are connected components, found by union-find. A component that is too large is cut by rank, so the parts do
 * not depend on the order of the links; documents that are equal stay in one part.
 *
 * <p>A link that would bring two documents together that are kept apart is left out, and so is one of a document that is nearer to one
 * of the other side. Where some are kept apart, links of equal documents come first. Links are taken in the order of their better
 * document, then of the other one, so that the last link of a chain between the two is the one that is left out.
 */
final class ChainLinkage extends Linkage {

    private static final int REPORTED = 1 << 10;

    /** By document, beyond those of survivors: the sets, and lists in their order. */
    private static final long LIST_BYTES = 5 * Integer.BYTES;

    /** By document, of a {@link LinkTree}. */
    private static final long TREE_BYTES = 2 * Integer.BYTES + Double.BYTES;

    /** By clique, of {@link SeparateLinked}. */
    private static final long CLIQUE_BYTES = 2 * Integer.BYTES + Long.BYTES;

    private final NearGraph graph;
    private final DisjointSets sets;
    /** The verified links; null without verification. */
    private final LinkTree tree;

    /** Documents of a set that are kept apart from others, by root. */
    private final Map<Integer, List<Integer>> separated = new HashMap<>();

    ChainLinkage(NearGraph graph, int maxGroupSize, LinkCheck check, IntConsumer progress) {
        super(maxGroupSize, check, progress);
        this.graph = graph;
        this.sets = new DisjointSets(graph.documents());
        this.tree = check.isNeeded() ? new LinkTree(graph.documents()) : null;
    }

    /** Beyond {@link NearGraph#bytes}. */
    static long bytes(NearGraph graph, boolean isVerified) {
        long verified = graph.documents() * TREE_BYTES
                + graph.cliques() * CLIQUE_BYTES
                + (long) graph.members.all().length * Integer.BYTES;
        return graph.documents() * LIST_BYTES + (isVerified ? verified : 0);
    }

    /** With its groups, by the rank of their survivors. */
    ChainLinkage linked() {
        if (check.isNeeded()) {
            uniteVerified();
        } else {
            uniteAll();
        }
        collect();
        return this;
    }

    private void uniteAll() {
        for (int clique = 0; clique < graph.cliques(); clique++) {
            int first = graph.members.first(clique);
            for (int i = graph.members.start(clique) + 1; i < graph.members.end(clique); i++) {
                sets.unite(first, graph.members.at(i));
            }
            for (int link = graph.links.start(clique); link < graph.links.end(clique); link++) {
                sets.unite(first, graph.members.first(graph.links.at(link)));
            }
        }
    }

    private void uniteVerified() {
        for (int document = 0; document < graph.documents(); document++) {
            if (check.apartFrom(document).length > 0) {
                separated.put(document, new ArrayList<>(List.of(document)));
            }
        }
        if (separated.isEmpty() == false && check.areCliquesEqual()) {
            uniteVerified((document, other) -> graph.distance(document, other) == 0);
        }
        uniteVerified((document, other) -> true);
    }

    private void uniteVerified(BiPredicate<Integer, Integer> taken) {
        SeparateLinked linked = new SeparateLinked();
        for (int document = 0; document < graph.documents(); document++) {
            if (document % REPORTED == 0) {
                progress.accept(document);
            }
            if (check.isComparable(document) == false) {
                continue;
            }
            int[] near = inOrder(comparable(document, linked.of(document)), linked.common);
            if (check.comparesTexts()
                    && near.length > 0
                    && texts.contains(document, near, Math.min(near.length, check.patience())) == false) {
                int first = document;
                readAhead(
                        first,
                        graph.documents(),
                        next -> next == first ? near : inOrder(comparable(next, linked.of(next)), linked.common));
            }
            int inVain = 0;
            int i = 0;
            for (; i < near.length && check.isComparable(document) && inVain < check.patience(); i++) {
                if (sets.root(near[i]) != sets.root(document)
                        && taken.test(document, near[i])
                        && check.isComparable(near[i])
                        && mayUnite(document, near[i])) {
                    inVain = verify(document, near, i) ? 0 : inVain + 1;
                }
            }
            if (i < near.length && inVain == check.patience()) {
                check.gaveUp();
            }
        }
        texts.clear();
    }

    private int[] comparable(int document, int[] others) {
        if (others.length > REPORTED) {
            progress.accept(document);
        }
        return Arrays.stream(others)
                .filter(other -> check.isComparable(other) && check.mayLink(document, other))
                .toArray();
    }

    /** Whether it has united two sets. */
    private boolean verify(int document, int[] near, int next) {
        int other = near[next];
        double similarity =
                similarity(document, near, next, near.length, candidate -> sets.root(candidate) != sets.root(document));
        // Also where nobody compares.
        if ((similarity < 0) == false) {
            List<Integer> first = separated.remove(sets.root(document));
            List<Integer> second = separated.remove(sets.root(other));
            tree.unite(sets, document, other, similarity);
            if (first != null || second != null) {
                separated.put(sets.root(document), joined(first, second));
            }
            return true;
        }
        return false;
    }

    private static List<Integer> joined(List<Integer> a, List<Integer> b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        if (a.size() < b.size()) {
            return joined(b, a);
        }
        a.addAll(b);
        return a;
    }

    /** Whether no document of one set is kept apart from one of the other, nor nearer to one that is kept apart from its set. */
    private boolean mayUnite(int a, int b) {
        List<Integer> first = separated.getOrDefault(sets.root(a), List.of());
        List<Integer> second = separated.getOrDefault(sets.root(b), List.of());
        int other = sets.root(first.size() < second.size() ? b : a);
        return apartFrom(first.size() < second.size() ? first : second)
                        .noneMatch(document -> sets.root(document) == other)
                && belongsToAny(apartFrom(first), b, a, graph) == false
                && belongsToAny(apartFrom(second), a, b, graph) == false;
    }

    private IntStream apartFrom(List<Integer> documents) {
        return documents.stream().flatMapToInt(document -> Arrays.stream(check.apartFrom(document)));
    }

    private void collect() {
        int[] next = new int[sets.size()];
        for (int i = 0; i < sets.size(); i++) {
            next[sets.root(i)]++;
        }
        int[] begins = Bins.starts(next);
        System.arraycopy(begins, 0, next, 0, next.length);
        int[] byRoot = new int[sets.size()];
        for (int i = 0; i < sets.size(); i++) {
            byRoot[next[sets.root(i)]++] = i;
        }
        // Survivor and start of each group; next[start] becomes its end.
        long[] starts = new long[sets.size() / 2];
        int found = 0;
        DisjointSets equal = null;
        for (int root = 0; root < sets.size(); root++) {
            int size = begins[root + 1] - begins[root];
            if (size > 1 && tree != null) {
                tree.root(byRoot[begins[root]]);
            }
            boolean isCut = size > maxGroupSize && check.areCliquesEqual();
            if (isCut && equal == null) {
                equal = equal();
            }
            if (isCut) {
                sortByEqual(byRoot, begins[root], begins[root + 1], equal);
            }
            int end;
            for (int start = begins[root]; start < begins[root + 1]; start = end) {
                end = start + Math.min(begins[root + 1] - start, maxGroupSize);
                while (isCut
                        && end < Math.min(begins[root + 1], start + MOST_EQUAL)
                        && equal.root(byRoot[end]) == equal.root(byRoot[end - 1])) {
                    end++;
                }
                splitGroups += start == begins[root] && end < begins[root + 1] ? 1 : 0;
                if (end - start > 1) {
                    starts[found++] = ((long) byRoot[start] << Integer.SIZE) | start;
                    next[start] = end;
                }
            }
        }
        Arrays.sort(starts, 0, found);
        for (int i = 0; i < found; i++) {
            int start = (int) starts[i];
            add(byRoot, start, next[start]);
        }
    }

    /** Sets of documents that share a clique. */
    private DisjointSets equal() {
        DisjointSets equal = new DisjointSets(graph.documents());
        for (int clique = 0; clique < graph.cliques(); clique++) {
            for (int i = graph.members.start(clique) + 1; i < graph.members.end(clique); i++) {
                equal.unite(graph.members.first(clique), graph.members.at(i));
            }
        }
        return equal;
    }

    /** Each behind the best of its equals. */
    private static void sortByEqual(int[] documents, int from, int to, DisjointSets equal) {
        long[] keys = new long[to - from];
        Arrays.setAll(keys, i -> ((long) equal.root(documents[from + i]) << Integer.SIZE) | documents[from + i]);
        Arrays.sort(keys);
        // The root may be in another component, and need not be the best.
        long root = -1;
        long best = -1;
        for (int i = 0; i < keys.length; i++) {
            best = keys[i] >>> Integer.SIZE == root ? best : (int) keys[i];
            root = keys[i] >>> Integer.SIZE;
            keys[i] = (best << Integer.SIZE) | (int) keys[i];
        }
        Arrays.sort(keys);
        for (int i = 0; i < keys.length; i++) {
            documents[from + i] = (int) keys[i];
        }
    }

    private void add(int[] byRoot, int start, int end) {
        Arrays.sort(byRoot, start, end);
        int survivor = byRoot[start];
        for (int i = start + 1; i < end; i++) {
            double similarity = tree == null ? Double.NaN : tree.similarity(byRoot[i]);
            groups.grow(byRoot[i], (byte) graph.distance(survivor, byRoot[i]), similarity);
        }
        groups.end(survivor);
    }

    /**
     * A spanning tree of links for each group: every document but the root has a link to its parent. Any document can
     * become the root. A union turns the smaller tree. Not thread-safe.
     */
    static final class LinkTree {

        private static final int NONE = -1;

        private final int[] parents;

        private final double[] similarities;
        /** By root of the set. */
        private final int[] sizes;

        LinkTree(int documents) {
            this.parents = new int[documents];
            this.similarities = new double[documents];
            this.sizes = new int[documents];
            Arrays.fill(parents, NONE);
            Arrays.fill(similarities, Double.NaN);
            Arrays.fill(sizes, 1);
        }

        /** Unites two different sets by a link between two documents. */
        void unite(DisjointSets sets, int a, int b, double similarity) {
            int first = sets.root(a);
            int second = sets.root(b);
            int turned = sizes[first] < sizes[second] ? a : b;
            root(turned);
            parents[turned] = turned == a ? b : a;
            similarities[turned] = similarity;
            sets.unite(a, b);
            sizes[sets.root(a)] = sizes[first] + sizes[second];
        }

        void root(int document) {
            int next = NONE;
            double similarity = Double.NaN;
            for (int i = document; i != NONE; ) {
                int parent = parents[i];
                double ofParent = similarities[i];
                parents[i] = next;
                similarities[i] = similarity;
                next = i;
                similarity = ofParent;
                i = parent;
            }
        }

        /** Similarity of a document and its parent; NaN for a root. */
        double similarity(int document) {
            return similarities[document];
        }
    }

    /**
     * Finds the later documents that are linked to a document and belong to other sets. Each clique remembers which of its
     * documents are in one large set, so only the others are read. Not thread-safe.
     */
    private final class SeparateLinked {

        /** Per clique: up to {@code ends} members that may be in other sets than {@code mains}, then the rest. */
        private final int[] members = graph.members.all().clone();

        private final int[] ends = new int[graph.cliques()];
        private final int[] mains = new int[graph.cliques()];
        /** Of cliques whose documents all have one {@link LinkCheck#apartKey}; 0 for others. */
        private final long[] apart = new long[graph.cliques()];

        private final int[] seenIn = new int[graph.documents()];
        /** By document of the last answer, cliques in common but for one. */
        private final byte[] common = new byte[graph.documents()];

        private int[] found = new int[64];
        private int size;
        private int round;

        SeparateLinked() {
            for (int clique = 0; clique < ends.length; clique++) {
                ends[clique] = graph.members.end(clique);
                mains[clique] = members[graph.members.start(clique)];
                long key = check.apartKey(mains[clique]);
                boolean areApart =
                        key != 0 && graph.members.of(clique).allMatch(member -> check.apartKey(member) == key);
                apart[clique] = areApart ? key : 0;
            }
        }

        /** Ascending. */
        int[] of(int document) {
            size = 0;
            round++;
            int root = sets.root(document);
            for (int i = graph.cliques.start(document); i < graph.cliques.end(document); i++) {
                int clique = graph.cliques.at(i);
                addMembers(document, root, clique);
                for (int link = graph.links.start(clique); link < graph.links.end(clique); link++) {
                    addMembers(document, root, graph.links.at(link));
                }
            }
            int[] linked = Arrays.copyOf(found, size);
            Arrays.sort(linked);
            return linked;
        }

        private void addMembers(int document, int root, int clique) {
            if (apart[clique] != 0 && apart[clique] == check.apartKey(document)) {
                return;
            }
            int start = graph.members.start(clique);
            int end = graph.members.end(clique);
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
                if (member > document && seenIn[member] == round) {
                    common[member] = oneMore(common[member]);
                } else if (member > document) {
                    seenIn[member] = round;
                    common[member] = 0;
                    if (size == found.length) {
                        found = Arrays.copyOf(found, 2 * size);
                    }
                    found[size++] = member;
                }
            }
            return end;
        }
    }
}
