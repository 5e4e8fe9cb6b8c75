/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.lucene.util.ArrayUtil;

/**
 * Makes groups of linked documents. The groups depend on the documents and their ranks alone, not on shards, nodes or
 * the order of links. Not thread-safe.
 */
public abstract class Linkage {

    static final int[] NONE = {};

    /** Documents without links to read texts for may be many. */
    private static final int MOST_AHEAD = 10_000;

    /** Documents of a group that is larger than others may be, because they are equal. */
    static final int MOST_EQUAL = 100_000;

    /** Candidates of one document that are read ahead. */
    static final int MOST_CANDIDATES = 1_000;

    /** Documents that are kept apart from a group, and compared with its candidates. */
    private static final int MOST_RIVALS = 1_000;

    final int maxGroupSize;
    final LinkCheck check;
    final IntConsumer progress;
    final TextWindow texts = new TextWindow();
    final Groups groups = new Groups();
    int splitGroups;

    /** @param maxGroupSize most documents of a group, survivor included */
    Linkage(int maxGroupSize, LinkCheck check, IntConsumer progress) {
        this.maxGroupSize = maxGroupSize;
        this.check = check;
        this.progress = progress;
    }

    /** One group for all that are connected by links. */
    public static Linkage chain(
            NearGraph graph, int maxGroupSize, LinkCheck check, LongConsumer memory, IntConsumer progress) {
        memory.accept(ChainLinkage.bytes(graph, check.isNeeded()));
        return new ChainLinkage(graph, maxGroupSize, check, progress).linked();
    }

    /** Takes links by rank, the better document first. */
    public interface LinkVisitor {
        void link(int a, int b, int distance, double similarity);
    }

    /** Visits each link once, also those that make no group. */
    public final void forEachLink(NearGraph graph, LinkVisitor visitor) {
        boolean[] done = new boolean[graph.documents()];
        var linked = new SurvivorLinkage.FreeLinked(graph, null, done, check);
        for (int document = 0; document < done.length; document++) {
            done[document] = true;
            int[] near = check.isComparable(document) ? linked.of(document, Integer.MAX_VALUE) : NONE;
            for (int i = 0; i < near.length; i++) {
                double similarity = similarity(document, near, i, near.length, candidate -> true);
                if ((similarity < 0) == false) {
                    visitor.link(document, near[i], linked.distance(near[i]), similarity);
                }
            }
        }
        texts.clear();
    }

    /** Reads the texts of a document and of those near it and, if there is room, of the next ones. */
    final void readAhead(int from, int to, IntFunction<int[]> near) {
        progress.accept(from);
        int end = (int) Math.min(to, (long) from + MOST_AHEAD);
        for (int document = from; document < end && texts.isFull() == false; document++) {
            int[] others = check.isComparable(document) ? near.apply(document) : NONE;
            if (others.length > 0) {
                texts.add(document);
                Arrays.stream(others)
                        .limit(Math.min(MOST_CANDIDATES, check.patience()))
                        .forEach(texts::add);
            }
        }
        texts.read();
    }

    /** Candidates in the order in which they are compared: those with the most cliques in common first, if there are many. */
    final int[] inOrder(int[] near, byte[] common) {
        if (near.length <= check.patience()) {
            return near;
        }
        int[] starts = new int[Byte.MAX_VALUE + 2];
        for (int document : near) {
            starts[Byte.MAX_VALUE - common[document] + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] ordered = new int[near.length];
        for (int document : near) {
            ordered[starts[Byte.MAX_VALUE - common[document]]++] = document;
        }
        return ordered;
    }

    /** Whether a candidate is nearer to one of those that are kept apart from a document of the group: it belongs to that one. */
    final boolean belongsToAny(IntStream rivals, int candidate, int document, NearGraph graph) {
        return rivals.limit(MOST_RIVALS)
                .anyMatch(rival -> rival != candidate
                        && graph.isNearer(candidate, rival, document)
                        && check.mayLink(rival, candidate)
                        && areSimilar(rival, candidate));
    }

    private boolean areSimilar(int a, int b) {
        return (similarity(a, new int[] {b}, 0, 1, candidate -> true) < 0) == false;
    }

    /** Of a document and its next candidate; negative if they are not similar enough. Reads the texts of later wanted ones, too. */
    final double similarity(int document, int[] near, int next, int end, IntPredicate isWanted) {
        if (check.comparesTexts() && check.isComparable(document) && check.isComparable(near[next])) {
            texts.require(document, near, next, (int) Math.min(end, (long) next + check.patience()), isWanted);
        }
        return check.isComparable(document) && check.isComparable(near[next])
                ? check.similarity(document, near[next])
                : -1;
    }

    static byte oneMore(byte common) {
        return (byte) Math.min(Byte.MAX_VALUE, common + 1);
    }

    /** Bytes of heap. */
    public long groupBytes() {
        return groups.bytes();
    }

    public final List<Group> found() {
        return groups;
    }

    /** Where links say nothing of distances. */
    public final void forgetDistances() {
        Arrays.fill(groups.distances, (byte) -1);
    }

    /** How many groups were too large and were split. */
    public int splitGroups() {
        return splitGroups;
    }

    /** The members that stay with a survivor, ascending: each unless it is apart from one before it. */
    public static int[] together(int survivor, IntStream members, IntFunction<int[]> apartFrom) {
        Set<Integer> together = new HashSet<>(Set.of(survivor));
        return members.filter(member -> Arrays.stream(apartFrom.apply(member)).noneMatch(together::contains))
                .filter(together::add)
                .sorted()
                .toArray();
    }

    /** What is left of groups if only these members stay. */
    public static List<Group> together(List<Group> groups, IntFunction<int[]> apartFrom, LongConsumer memory) {
        Groups left = new Groups();
        for (Group group : groups) {
            int[] members = together(group.survivor, Arrays.stream(group.members), apartFrom);
            for (int member : members) {
                int at = Arrays.binarySearch(group.members, member);
                left.grow(member, group.distances[at], group.similarities[at]);
            }
            if (members.length > 0) {
                left.end(group.survivor);
            }
        }
        memory.accept(left.bytes());
        return left;
    }

    /** Groups in columns: 8 bytes per group, 5 per member, 13 per verified member. Append-only. Not thread-safe. */
    static final class Groups extends AbstractList<Group> {

        private int size;
        private int[] survivors = new int[0];

        private int[] ends = new int[0];

        private int memberCount;
        private int[] members = new int[0];
        private byte[] distances = new byte[0];

        /** Empty until a member was verified. */
        private double[] similarities = new double[0];

        /** Adds a member to the group that {@link #end} ends. */
        void grow(int member, byte distance, double similarity) {
            members = ArrayUtil.grow(members, memberCount + 1);
            distances = ArrayUtil.grow(distances, memberCount + 1);
            if (similarities.length > 0 || Double.isNaN(similarity) == false) {
                int before = similarities.length;
                similarities = ArrayUtil.grow(similarities, memberCount + 1);
                if (before == 0) {
                    Arrays.fill(similarities, 0, memberCount, Double.NaN);
                }
                similarities[memberCount] = similarity;
            }
            members[memberCount] = member;
            distances[memberCount++] = distance;
        }

        /** Members of the group that has not ended. */
        int growing() {
            return memberCount - start(size);
        }

        void forGrowing(IntConsumer visitor) {
            Arrays.stream(members, start(size), memberCount).forEach(visitor);
        }

        /** Ends a group, which has at least one member. */
        void end(int survivor) {
            survivors = ArrayUtil.grow(survivors, size + 1);
            ends = ArrayUtil.grow(ends, size + 1);
            survivors[size] = survivor;
            ends[size++] = memberCount;
        }

        private int start(int group) {
            return group == 0 ? 0 : ends[group - 1];
        }

        @Override
        public Group get(int index) {
            if (index < 0 || index >= size) {
                throw new IndexOutOfBoundsException(index + " of " + size);
            }
            int start = start(index);
            int end = ends[index];
            double[] verified = new double[end - start];
            if (similarities.length == 0) {
                Arrays.fill(verified, Double.NaN);
            } else {
                System.arraycopy(similarities, start, verified, 0, verified.length);
            }
            return new Group(
                    survivors[index],
                    Arrays.copyOfRange(members, start, end),
                    Arrays.copyOfRange(distances, start, end),
                    verified);
        }

        @Override
        public int size() {
            return size;
        }

        /** Bytes of heap. */
        long bytes() {
            return 2L * Integer.BYTES * survivors.length
                    + (Integer.BYTES + 1L) * members.length
                    + (long) Double.BYTES * similarities.length;
        }
    }

    /** The documents whose texts can be compared now, {@value #SIZE} at most, fewer if they are long. Not thread-safe. */
    final class TextWindow {

        static final int SIZE = 8_000;

        private final int[] next = new int[SIZE];
        private int size;
        /** Ascending. */
        private int[] expected = new int[0];

        boolean isFull() {
            return size == SIZE;
        }

        /**
         * Reads the texts of a document and of its wanted candidates from the next on, unless the first two are
         * present. They may prove not comparable.
         */
        void require(int document, int[] others, int from, int to, IntPredicate isWanted) {
            if (contains(document) && contains(others[from])) {
                return;
            }
            progress.accept(document);
            add(document);
            for (int i = from; i < to && isFull() == false; i++) {
                if (isWanted.test(others[i])) {
                    add(others[i]);
                }
            }
            read();
        }

        /** Adds a document to the next window, if there is room and it can be compared. */
        void add(int document) {
            if (isFull() == false && check.isComparable(document)) {
                next[size++] = document;
            }
        }

        /** Replaces the window by the next one, as far as there is room. */
        void read() {
            int[] wanted = Arrays.stream(next, 0, size).distinct().toArray();
            size = 0;
            expected = Arrays.copyOf(wanted, check.expect(wanted));
            Arrays.sort(expected);
        }

        void clear() {
            size = 0;
            read();
        }

        boolean contains(int document) {
            return Arrays.binarySearch(expected, document) >= 0;
        }

        /** Whether a document and its best candidates, as many as a window takes, can be compared without a read. */
        boolean contains(int document, int[] near, int limit) {
            boolean contained = contains(document);
            for (int i = 0; i < Math.min(near.length, Math.min(limit, SIZE - 1)) && contained; i++) {
                contained = contains(near[i]) || check.isComparable(near[i]) == false;
            }
            return contained;
        }
    }

    /** Verifies links before they make groups. */
    public interface LinkCheck {

        LinkCheck NONE = new LinkCheck() {
            @Override
            public boolean isNeeded() {
                return false;
            }

            @Override
            public int expect(int[] documents) {
                return documents.length;
            }

            @Override
            public double similarity(int a, int b) {
                return Double.NaN;
            }
        };

        default boolean isNeeded() {
            return true;
        }

        /**
         * Announces the documents to compare next, the most urgent ones first, in place of the last ones. Returns how
         * many of the first can be compared now: at least two.
         */
        int expect(int[] documents);

        /** Whether documents of one clique have equal fingerprints or texts: no limit of size parts these. */
        default boolean areCliquesEqual() {
            return true;
        }

        default boolean comparesTexts() {
            return isNeeded();
        }

        /** Whether two documents may be linked at all. It is cheap: it is asked before texts are read. */
        default boolean mayLink(int a, int b) {
            return true;
        }

        /** Two documents with equal keys are never linked, and so not tried one by one. 0 if it may be linked with all. */
        default long apartKey(int document) {
            return 0;
        }

        /** Documents, ascending, that may never be in one group with this one, whatever links them. Is cheap. */
        default int[] apartFrom(int document) {
            return Linkage.NONE;
        }

        /** After as many comparisons in vain, a document is compared with no more. Those with the most cliques in common come first. */
        default int patience() {
            return Integer.MAX_VALUE;
        }

        /** A document was not compared with all its candidates. */
        default void gaveUp() {}

        /** Whether a document can be similar to any other. The answer is final once the document was expected. */
        default boolean isComparable(int document) {
            return true;
        }

        /** The similarity of two expected documents that may be linked; negative if they are not similar enough, NaN if nobody compares. */
        double similarity(int a, int b);
    }

    /**
     * A survivor and its duplicates, ascending, by rank; their distances from it, negative if unknown; their
     * similarities, NaN without verification.
     */
    @SuppressWarnings("ArrayRecordComponent") // Columns; never compared.
    public record Group(int survivor, int[] members, byte[] distances, double[] similarities) {

        /** Survivor and members, in this order. */
        public IntStream ranks() {
            return IntStream.concat(IntStream.of(survivor), Arrays.stream(members));
        }

        public int size() {
            return members.length + 1;
        }
    }
}
