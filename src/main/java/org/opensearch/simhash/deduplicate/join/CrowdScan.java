/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.opensearch.simhash.memory.Account;

/**
 * Finds and counts the links of a crowd: fingerprints with too many links to keep, which no blocks separate. It takes
 * the cliques in the order of their best documents, in batches, and compares each one with all later ones of its
 * stratum, on all threads. So each pair is compared once. Only where documents share a fingerprint, a second call for
 * the same clique compares it again with the remaining ones.
 *
 * <p>Memory: 28 bytes per clique, and 4 bytes per comparison of a batch. Called by one thread.
 */
public final class CrowdScan implements NearCliques {

    /** Per clique: place by rank, place in the stratum, end of the stratum, fingerprint. */
    private static final int BYTES = 4 * Integer.BYTES + Long.BYTES;

    private static final int SORT_BYTES = Long.BYTES + Integer.BYTES;

    /** Links of a batch, unless one clique has more. The allowance limits it, too. */
    private static final int MOST_KEPT = 1 << 23;

    private static final int LEAST_KEPT = 1 << 14;
    private static final int PART = 32;

    private static final int MOST_AT_A_TIME = 4_096;

    /** Fewer comparisons run on the calling thread. */
    private static final int WORTH_SPREADING = 1 << 17;

    private static final int NONE = -1;

    private final NearGraph graph;
    private final int distance;
    private final Executor executor;
    private final int threads;
    private final Account memory;
    private final LongConsumer progress;
    private final int kept;

    /** {@code areSingle}: each clique has one document. {@code areSeparate}: no document has several fingerprints. */
    private final boolean areSingle;

    private final boolean areSeparate;

    /** Answers repeated calls from the remaining cliques. */
    private final CliqueScan left;

    /** The cliques by the rank of their best document, and the place of each clique in this order. */
    private final int[] ordered;

    private final int[] turns;

    /** The same by stratum: cliques, fingerprints, end of the stratum, place of each clique. */
    private final int[] cliques;

    private final long[] bits;
    private final int[] ends;
    private final int[] places;

    /** The last batch, by places in {@code ordered}. The links of each start in {@code near} at {@code starts}. */
    private int from;

    private int to;
    private final int[] starts = new int[MOST_AT_A_TIME];
    private final int[] sizes = new int[MOST_AT_A_TIME];
    private int[] near = new int[0];

    /** The last answer: {@code later} links from {@code laterStart} in {@code near}, then those of {@code left}. */
    private int asked = NONE;

    private int later;
    private int laterStart;
    private int size;

    private final AtomicLong pairs = new AtomicLong();
    private long compared;

    /**
     * @param graph its links are ignored
     * @param executor runs {@code threads} tasks at a time
     * @param allowance bytes; the scan takes a part of them
     * @param progress is told the number of compared pairs, by all threads
     */
    public CrowdScan(
            NearGraph graph,
            int distance,
            Executor executor,
            int threads,
            long allowance,
            Account memory,
            LongConsumer progress) {
        this.graph = graph;
        this.distance = distance;
        this.executor = executor;
        this.threads = threads;
        this.memory = memory;
        this.progress = progress;
        this.kept = Math.clamp(allowance / PART, LEAST_KEPT, MOST_KEPT);
        this.left = new CliqueScan(graph, distance, memory, progress);
        memory.take((long) graph.cliques() * (BYTES + SORT_BYTES));
        this.cliques = left.cliques();
        this.bits = new long[cliques.length];
        this.ends = new int[cliques.length];
        this.places = new int[graph.cliques()];
        for (int place = cliques.length - 1; place >= 0; place--) {
            int clique = cliques[place];
            boolean isLast = place == cliques.length - 1 || graph.stratum(clique) != graph.stratum(cliques[place + 1]);
            bits[place] = graph.bits(clique);
            ends[place] = isLast ? place + 1 : ends[place + 1];
            places[clique] = place;
        }
        this.ordered = cliques.clone();
        long[] ranks = Arrays.stream(ordered).mapToLong(graph::firstMember).toArray();
        RadixSort.sort(ranks, ordered, ordered.length);
        memory.give((long) graph.cliques() * SORT_BYTES);
        this.turns = new int[graph.cliques()];
        Arrays.fill(turns, NONE);
        for (int turn = 0; turn < ordered.length; turn++) {
            turns[ordered[turn]] = turn;
        }
        this.areSingle = Arrays.stream(cliques).allMatch(clique -> graph.size(clique) == 1);
        this.areSeparate = graph.haveOneFingerprintEach();
    }

    @Override
    public int around(int clique) {
        if (clique == asked) {
            return size;
        }
        asked = clique;
        later = 0;
        size = 0;
        int turn = turns[clique];
        if (turn == NONE) {
            return 0;
        }
        while (turn >= to) {
            compareNext();
        }
        if (turn < from) {
            size = left.around(clique);
            return size;
        }
        laterStart = starts[turn - from];
        later = sizes[turn - from];
        // If every document has its own fingerprint, no earlier document is free.
        size = later + (areOrdered() ? 0 : left.before(clique));
        return size;
    }

    @Override
    public boolean areOrdered() {
        return areSingle && areSeparate;
    }

    @Override
    public int near(int i) {
        return i < later ? cliques[near[laterStart + i]] : left.near(i - later);
    }

    @Override
    public int distance(int i) {
        return i < later ? Long.bitCount(graph.bits(asked) ^ bits[near[laterStart + i]]) : left.distance(i - later);
    }

    @Override
    public boolean isNear(int a, int b) {
        return left.isNear(a, b);
    }

    @Override
    public long compared() {
        return compared + left.compared();
    }

    @Override
    public void drop(boolean[] taken) {
        asked = NONE;
        left.drop(taken);
    }

    /** Compares the cliques that nobody asked for. Returns the number of linked pairs of different documents. */
    public long pairs() {
        while (to < ordered.length) {
            compareNext();
        }
        return pairs.get();
    }

    private void compareNext() {
        from = to;
        long room = Math.max(kept, (long) threads * comparisons(from));
        long sum = 0;
        while (to < ordered.length
                && to - from < MOST_AT_A_TIME
                && (to == from || sum + comparisons(to) <= Math.min(room, Integer.MAX_VALUE - Long.BYTES))) {
            starts[to - from] = (int) sum;
            sum += comparisons(to++);
        }
        if (near.length < sum) {
            memory.take(sum * Integer.BYTES);
            memory.give((long) near.length * Integer.BYTES);
            near = new int[(int) sum];
        }
        compare(sum);
        compared += sum;
    }

    private void compare(long sum) {
        if (sum < WORTH_SPREADING) {
            for (int i = 0; i < to - from; i++) {
                compare(i);
            }
            progress.accept(sum);
            return;
        }
        ParallelUnits units = new ParallelUnits(to - from);
        for (int i = 0; i < threads; i++) {
            units.addRunner(() -> progress, (told, unit) -> {
                compare(unit);
                told.accept(comparisons(from + unit));
            });
        }
        units.await(executor, () -> progress.accept(0));
    }

    private int comparisons(int turn) {
        int place = places[ordered[turn]];
        return ends[place] - place - 1;
    }

    private void compare(int i) {
        int place = places[ordered[from + i]];
        int end = ends[place];
        long value = bits[place];
        int start = starts[i];
        int next = start;
        // Without a branch: half of a crowd may be near, which no processor predicts.
        for (int other = place + 1; other < end; other++) {
            near[next] = other;
            next += (Long.bitCount(value ^ bits[other]) - distance - 1) >>> (Integer.SIZE - 1);
        }
        sizes[i] = next - start;
        pairs.addAndGet(areOrdered() ? next - start : pairs(cliques[place], start, next));
    }

    private long pairs(int clique, int start, int end) {
        long sum = 0;
        for (int i = start; i < end; i++) {
            int other = cliques[near[i]];
            sum += areSeparate ? (long) graph.size(clique) * graph.size(other) : graph.pairs(clique, other);
        }
        return sum;
    }
}
