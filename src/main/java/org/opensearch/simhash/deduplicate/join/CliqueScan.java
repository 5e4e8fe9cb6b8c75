/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.memory.Account;

/**
 * Finds the cliques near a clique without links: it compares the fingerprint with all that are left in the stratum.
 * This is for crowds, whose links are too many to keep. If callers ask once per document and drop those that are taken,
 * each pair is compared once. Not thread-safe.
 */
public final class CliqueScan implements NearCliques {

    /** Per clique: its place, its fingerprint, and an answer with its distance. */
    private static final int BYTES = 3 * Integer.BYTES + Long.BYTES + 1;

    private static final int SORT_BYTES = Long.BYTES + Integer.BYTES;

    /** Nanoseconds to compare a clique with another one. */
    static final double COMPARE = 1.1;

    private static final int CHECKED = 1 << 20;
    private static final int SAMPLE = 4_096;
    private static final int NONE = -1;

    private final NearGraph graph;
    private final int distance;
    private final LongConsumer progress;

    /** The remaining cliques that have a fingerprint, by stratum, and their fingerprints. */
    private final int[] cliques;

    private final long[] bits;

    /** Per stratum: the start of its cliques, and the end of the remaining ones. */
    private final int[] starts;

    private final int[] ends;

    /** Per clique. */
    private final int[] stratumOf;

    private final int[] near;
    private final byte[] distances;
    private int size;
    private int last = NONE;
    private long compared;
    private long untold;

    /**
     * @param graph its links are ignored
     * @param progress is told the number of compared pairs
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
        // The sort is stable: within a stratum the order by best document stays.
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

    /** A repeated call with the same clique does not compare again. */
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
     * Like {@link #around}, but only cliques of several documents whose best document is not worse than the clique's.
     * When it is the clique's turn, earlier documents that are alone in their clique are decided already.
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

    /** All cliques, by stratum, then by best document. Call it before anything is dropped. */
    int[] cliques() {
        return cliques.clone();
    }

    /** Nanoseconds to call {@link #around} for this many of the remaining documents. */
    public double nanos(int documents) {
        double pairs = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            double left = ends[stratum] - starts[stratum];
            pairs += left * left;
        }
        return COMPARE * pairs * pairsWith(documents);
    }

    /**
     * The share of the remaining documents that have about {@code links} links together, taken in the order of
     * survivors.
     */
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

    /**
     * The share of all pairs that {@code documents} documents are in. Documents that were looked around are dropped.
     */
    private double pairsWith(int documents) {
        double left = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            left += ends[stratum] - starts[stratum];
        }
        double share = Math.min(1, documents / Math.max(1, left));
        return share * (1 - share / 2);
    }

    /** Nanoseconds to join all that is left. */
    public double joinNanos() {
        double nanos = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            int left = ends[stratum] - starts[stratum];
            if (left <= JoinCost.SMALL) {
                nanos += JoinCost.whole(left, distance).nanos();
                continue;
            }
            long[] sample = JoinCost.sample(bits, starts[stratum], ends[stratum], SAMPLE);
            nanos += JoinCost.cheapest(sample, left, distance).nanos();
        }
        return nanos;
    }
}
