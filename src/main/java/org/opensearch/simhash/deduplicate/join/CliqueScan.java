/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.memory.Account;

/**
 * Finds what is near a clique without knowing any links: compares its fingerprint with all that are left of its stratum. For crowds
 * of fingerprints that have more links than can be kept. When each document is looked around once, and those that are taken are
 * dropped, all together is each pair compared once. One thread.
 */
public final class CliqueScan implements NearCliques {

    /** Of a clique: its place, its fingerprint, and that it is near, with the distance. */
    private static final int BYTES = 3 * Integer.BYTES + Long.BYTES + 1;

    private static final int SORT_BYTES = Long.BYTES + Integer.BYTES;

    private static final int CHECKED = 1 << 20;
    private static final int SAMPLE = 4_096;
    private static final int NONE = -1;

    private final NearGraph graph;
    private final int distance;
    private final LongConsumer progress;

    /** The cliques that have a fingerprint and are left, stratum by stratum, and their fingerprints. */
    private final int[] cliques;

    private final long[] bits;

    /** By stratum: where its cliques start, and behind those that are left. */
    private final int[] starts;

    private final int[] ends;

    /** Of each clique. */
    private final int[] stratumOf;

    private final int[] near;
    private final byte[] distances;
    private int size;
    private int last = NONE;
    private long compared;
    private long untold;

    /**
     * Nothing compared yet.
     *
     * @param graph its cliques; links in it are not looked at
     * @param memory pays for all of it
     * @param progress is told of pairs as they are compared, and may throw to end it
     */
    public CliqueScan(NearGraph graph, int distance, Account memory, LongConsumer progress) {
        this.graph = graph;
        this.distance = distance;
        this.progress = progress;
        memory.take((long) graph.cliques() * (BYTES + SORT_BYTES));
        this.cliques = IntStream.range(0, graph.cliques())
                .filter(clique -> graph.hasEqualTexts(clique) == false)
                .toArray();
        this.bits = Arrays.stream(cliques).mapToLong(graph::firstMember).toArray();
        RadixSort.sort(bits, cliques, cliques.length);
        Arrays.setAll(bits, i -> graph.stratum(cliques[i]));
        // Stable: within a stratum they stay in the order of their best documents.
        RadixSort.sort(bits, cliques, cliques.length);
        this.stratumOf = new int[graph.cliques()];
        Arrays.fill(stratumOf, NONE);
        int[] bounds = new int[cliques.length + 1];
        int strata = 0;
        for (int i = 0; i < cliques.length; i++) {
            if (i == 0 || graph.stratum(cliques[i]) != graph.stratum(cliques[i - 1])) {
                bounds[strata++] = i;
            }
            stratumOf[cliques[i]] = strata - 1;
            bits[i] = graph.bits(cliques[i]);
        }
        memory.give((long) graph.cliques() * SORT_BYTES);
        bounds[strata] = cliques.length;
        this.starts = Arrays.copyOf(bounds, strata);
        this.ends = Arrays.copyOfRange(bounds, 1, strata + 1);
        this.near = new int[cliques.length];
        this.distances = new byte[cliques.length];
    }

    /** Asked twice in a row, it compares once. */
    @Override
    public int around(int clique) {
        if (clique == last) {
            return size;
        }
        last = clique;
        size = 0;
        int stratum = stratumOf[clique];
        if (stratum == NONE) {
            return 0;
        }
        for (int i = starts[stratum]; i < ends[stratum]; i++) {
            compare(clique, i);
        }
        count((long) ends[stratum] - starts[stratum]);
        return size;
    }

    /**
     * The same, but only those that have a better document than the clique, or the same best one, and others beside it. By the turn of
     * the clique, documents that come before and are alone in their clique are decided.
     */
    int before(int clique) {
        last = NONE;
        size = 0;
        int stratum = stratumOf[clique];
        int rank = graph.firstMember(clique);
        long pairs = 0;
        for (int i = starts[stratum]; i < ends[stratum] && graph.firstMember(cliques[i]) <= rank; i++) {
            if (graph.size(cliques[i]) > 1) {
                compare(clique, i);
                pairs++;
            }
        }
        count(pairs);
        return size;
    }

    private void compare(int clique, int i) {
        int differing = Long.bitCount(graph.bits(clique) ^ bits[i]);
        if (differing <= distance && cliques[i] != clique) {
            near[size] = cliques[i];
            distances[size++] = (byte) differing;
        }
    }

    @Override
    public boolean areOrdered() {
        return false;
    }

    @Override
    public int near(int i) {
        return near[i];
    }

    @Override
    public int distance(int i) {
        return distances[i];
    }

    @Override
    public boolean isNear(int a, int b) {
        count(1);
        return a == b
                || (stratumOf[a] == stratumOf[b]
                        && stratumOf[a] != NONE
                        && Long.bitCount(graph.bits(a) ^ graph.bits(b)) <= distance);
    }

    private void count(long pairs) {
        compared += pairs;
        untold += pairs;
        if (untold > CHECKED) {
            progress.accept(untold);
            untold = 0;
        }
    }

    @Override
    public long compared() {
        return compared;
    }

    @Override
    public void drop(boolean[] taken) {
        last = NONE;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            int kept = starts[stratum];
            for (int i = starts[stratum]; i < ends[stratum]; i++) {
                if (hasFree(cliques[i], taken)) {
                    cliques[kept] = cliques[i];
                    bits[kept++] = bits[i];
                }
            }
            ends[stratum] = kept;
        }
    }

    private boolean hasFree(int clique, boolean[] taken) {
        for (int i = graph.memberStart(clique); i < graph.memberEnd(clique); i++) {
            if (taken[graph.member(i)] == false) {
                return true;
            }
        }
        return false;
    }

    /** All of them, stratum by stratum, in the order of their best documents. Before any is dropped. */
    int[] cliques() {
        return cliques.clone();
    }

    /** Nanoseconds to look around so many documents of those that are left. */
    public double nanos(int documents) {
        double pairs = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            double left = ends[stratum] - starts[stratum];
            pairs += left * left;
        }
        return BlockChoice.COMPARE * pairs * pairsWith(documents);
    }

    /** About which share of what is left has no more than so many links, in the order of the survivors. */
    public double shareWith(double links) {
        double all = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            double left = ends[stratum] - starts[stratum];
            LinkSample sample = LinkSample.of(bits, starts[stratum], ends[stratum], distance);
            count(sample.compared());
            all += sample.share() * left * left;
        }
        return 1 - Math.sqrt(Math.max(0, 1 - 2 * links / Math.max(1, all)));
    }

    /** Which share of the squares of what is left the pairs with some documents are: those that were looked around are dropped. */
    private double pairsWith(int documents) {
        double left = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            left += ends[stratum] - starts[stratum];
        }
        double share = Math.min(1, documents / Math.max(1, left));
        return share * (1 - share / 2);
    }

    /** Nanoseconds of a join of all that are left. */
    public double joinNanos() {
        double nanos = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            int left = ends[stratum] - starts[stratum];
            if (left <= NearJoin.SMALL) {
                nanos += BlockChoice.COMPARE * left * (left - 1) / 2;
                continue;
            }
            long[] sample = BlockChoice.sample(bits, starts[stratum], ends[stratum], SAMPLE);
            nanos += BlockChoice.cheapest(sample, left, -1L, distance, BlockChoice.MOST_COMBINATIONS)
                    .nanos();
        }
        return nanos;
    }
}
