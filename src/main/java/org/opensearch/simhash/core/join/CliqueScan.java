/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.memory.RadixSort;

/**
 * Finds the cliques near a clique without links: it compares the fingerprint with all that are left in the stratum. This is for links that
 * are too many to keep. If callers ask once per document and drop those that are taken, each pair is compared once. Not thread-safe.
 */
public final class CliqueScan {

    /** Per clique: its place, its fingerprint, and an answer with its distance. */
    private static final int BYTES = 3 * Integer.BYTES + Long.BYTES + 1;

    private static final int SORT_BYTES = Long.BYTES + Integer.BYTES;

    /** Nanoseconds to compare a clique with another one. */
    private static final double COMPARE = 1.1;

    private static final int CHECKED = 1 << 20;
    private static final int LEAST_SAMPLED = 64;
    private static final int MOST_SAMPLED = 2_048;
    private static final int SAMPLED_PART = 8;
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
    private long unreported;

    /** @param graph its links are ignored */
    public CliqueScan(NearGraph graph, int distance, Account memory, LongConsumer progress) {
        this.graph = graph;
        this.distance = distance;
        this.progress = progress;
        memory.take((long) graph.cliques() * (BYTES + SORT_BYTES));
        this.cliques = IntStream.range(0, graph.cliques())
                .filter(clique -> graph.hasEqualTexts(clique) == false)
                .toArray();
        this.bits = Arrays.stream(cliques).mapToLong(graph.members::first).toArray();
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

    /** Finds all near cliques. Returns their number. A repeated call with the same clique does not compare again. */
    int around(int clique) {
        if (clique == last) {
            return size;
        }
        last = clique;
        size = 0;
        int stratum = stratumOf[clique];
        if (stratum == NONE) {
            return 0;
        }
        long value = graph.bits(clique);
        for (int i = starts[stratum]; i < ends[stratum]; i++) {
            int differing = Long.bitCount(value ^ bits[i]);
            if (differing <= distance && cliques[i] != clique) {
                near[size] = cliques[i];
                distances[size++] = (byte) differing;
            }
        }
        count((long) ends[stratum] - starts[stratum]);
        return size;
    }

    /** A clique of the last answer. */
    int near(int i) {
        return near[i];
    }

    /** Distance of a clique of the last answer. */
    int distance(int i) {
        return distances[i];
    }

    private void count(long pairs) {
        compared += pairs;
        unreported += pairs;
        if (unreported > CHECKED) {
            progress.accept(unreported);
            unreported = 0;
        }
    }

    public long compared() {
        return compared;
    }

    /** Drops the cliques whose documents are all taken. */
    void drop(boolean[] taken) {
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
        for (int i = graph.members.start(clique); i < graph.members.end(clique); i++) {
            if (taken[graph.members.at(i)] == false) {
                return true;
            }
        }
        return false;
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
     * The share of the remaining documents that have about {@code links} links together, taken in the order of survivors. Estimated from a
     * sample: compares at most about 1 % of the pairs, and never more than two million a stratum.
     */
    public double shareWith(double links) {
        double all = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            int left = ends[stratum] - starts[stratum];
            int sampleSize = Math.clamp(left / SAMPLED_PART, LEAST_SAMPLED, MOST_SAMPLED);
            all += linked(JoinCost.sample(i -> bits[i], starts[stratum], ends[stratum], sampleSize)) * left * left;
        }
        return 1 - Math.sqrt(Math.max(0, 1 - 2 * links / Math.max(1, all)));
    }

    /** The share of links among the pairs of a sample. */
    private double linked(long[] sample) {
        long linked = 0;
        for (int i = 0; i < sample.length; i++) {
            for (int j = 0; j < i; j++) {
                linked += Long.bitCount(sample[i] ^ sample[j]) <= distance ? 1 : 0;
            }
        }
        long pairs = sample.length * (sample.length - 1L) / 2;
        count(pairs);
        return (double) linked / Math.max(1, pairs);
    }

    /** The share of all pairs that so many documents are in. Documents that were looked around are dropped. */
    private double pairsWith(int documents) {
        long left = Arrays.stream(ends).asLongStream().sum()
                - Arrays.stream(starts).asLongStream().sum();
        double share = Math.min(1, documents / Math.max(1.0, (double) left));
        return share * (1 - share / 2);
    }

    /** Nanoseconds to join all that is left. */
    public double joinNanos() {
        double nanos = 0;
        for (int stratum = 0; stratum < starts.length; stratum++) {
            nanos += JoinCost.cheapest(i -> bits[i], starts[stratum], ends[stratum], distance)
                    .nanos();
        }
        return nanos;
    }
}
