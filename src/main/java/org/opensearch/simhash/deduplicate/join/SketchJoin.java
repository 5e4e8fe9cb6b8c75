/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.sketch.Sketch;

/**
 * Finds all links of sketches. It compares equal sketches once. Then it sorts documents by one band of components after
 * the other, and compares those with an equal band. Bands are as long as possible while a link of the least similarity
 * is missed at most once in 100,000. Strata are joined apart. Not thread-safe.
 *
 * <p>Memory: {@value #ROW_BYTES} bytes and the sketch per document, nine bytes per link. Links have no distance.
 */
public final class SketchJoin {

    static final int ROW_BYTES = 64;

    private static final double MISSING = 1e-5;
    public static final int MOST_ROWS = 8;
    private static final double VALUES = 256;
    private static final int HEADER = Integer.BYTES;
    private static final int PAIRS_BETWEEN_CHECKS = 1 << 20;

    /** The documents with one sketch in one stratum. */
    private static final class Row {
        private final Sketch sketch;
        private long[] members;
        private int clique = -1;

        Row(Sketch sketch, long address) {
            this.sketch = sketch;
            this.members = new long[] {address};
        }

        void add(long address) {
            members = Arrays.copyOf(members, members.length + 1);
            members[members.length - 1] = address;
        }
    }

    private final double minSimilarity;
    private final LongConsumer progress;
    private final Account searching;
    private final Cliques.Builder graph;
    private final List<Map<Sketch, Row>> strata = new ArrayList<>();
    private final Map<Object, List<Long>> texts = new HashMap<>();
    private long pairs;
    private long compared;
    private long unreported;

    /**
     * @param minSimilarity least estimated similarity of a link
     * @param memory pays for the answer, and until {@link #join} returns for the sketches
     * @param progress is told the number of compared pairs
     */
    public SketchJoin(double minSimilarity, Account memory, LongConsumer progress) {
        this.minSimilarity = minSimilarity;
        this.progress = progress;
        this.searching = new Account(memory);
        this.graph = new Cliques.Builder(memory);
    }

    /** @param stratum only sketches of one stratum are compared */
    public void add(long address, Sketch sketch, int stratum) {
        while (strata.size() <= stratum) {
            strata.add(new HashMap<>());
        }
        Row row = strata.get(stratum).get(sketch);
        if (row == null) {
            searching.take(ROW_BYTES + sketch.bytes().length);
            strata.get(stratum).put(sketch, new Row(sketch, address));
        } else {
            searching.take(Long.BYTES);
            row.add(address);
        }
    }

    /** A document too short for a sketch. It links to those with an equal text. */
    public void addText(long address, Object text) {
        searching.take(3L * ROW_BYTES);
        texts.computeIfAbsent(text, t -> new ArrayList<>(1)).add(address);
    }

    public NearJoin.Joined join() {
        for (List<Long> equal : texts.values()) {
            if (equal.size() > 1) {
                graph.addEqualTexts(equal.stream().mapToLong(Long::longValue).toArray());
                pairs += pairs(equal.size());
            }
        }
        for (Map<Sketch, Row> stratum : strata) {
            join(stratum.values().toArray(Row[]::new));
        }
        progress.accept(unreported);
        searching.close();
        return new NearJoin.Joined(graph.build(), pairs, false);
    }

    /** Number of compared pairs of different sketches. */
    public long compared() {
        return compared;
    }

    private void join(Row[] rows) {
        for (Row row : rows) {
            if (row.members.length > 1) {
                clique(row);
                pairs += pairs(row.members.length);
            }
        }
        // A stratum has one scheme, so one number of components.
        int permutations = rows.length == 0 ? 0 : rows[0].sketch.permutations();
        int least = permutations == 0 ? 0 : Sketch.leastAgreeing(minSimilarity, permutations);
        int length = bandLength(minSimilarity, permutations);
        try (Account sorting = new Account(searching)) {
            sorting.take((long) Long.BYTES * rows.length);
            long[] keys = new long[rows.length];
            for (int from = 0; from + length <= permutations; from += length) {
                for (int i = 0; i < keys.length; i++) {
                    keys[i] = (long) hash(rows[i].sketch, from, length) << Integer.SIZE | i;
                }
                Arrays.sort(keys);
                joinBand(rows, keys, from, length, least);
            }
        }
    }

    /** Components of a band: as many as may be, so that few documents share one. */
    public static int bandLength(double minSimilarity, int permutations) {
        double agreement = minSimilarity + (1 - minSimilarity) / VALUES;
        int length = Math.max(1, Math.min(MOST_ROWS, permutations));
        while (length > 1 && missing(agreement, length, permutations / length) > MISSING) {
            length--;
        }
        return length;
    }

    /** Probability that a link shares no band. */
    private static double missing(double agreement, int length, int bands) {
        return Math.pow(1 - Math.pow(agreement, length), bands);
    }

    private static int hash(Sketch sketch, int from, int length) {
        long hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = hash * 0x9E37_79B9_7F4A_7C15L + sketch.bytes()[HEADER + i];
        }
        return (int) ((hash * 0x9E37_79B9_7F4A_7C15L) >>> Integer.SIZE);
    }

    private void joinBand(Row[] rows, long[] keys, int from, int length, int least) {
        for (int start = 0; start < keys.length; ) {
            int end = start + 1;
            while (end < keys.length && (int) (keys[end] >>> Integer.SIZE) == (int) (keys[start] >>> Integer.SIZE)) {
                end++;
            }
            for (int i = start; i < end; i++) {
                for (int j = i + 1; j < end; j++) {
                    compare(rows[(int) keys[i]], rows[(int) keys[j]], from, length, least);
                }
            }
            start = end;
        }
    }

    private void compare(Row a, Row b, int from, int length, int least) {
        compared++;
        if (++unreported == PAIRS_BETWEEN_CHECKS) {
            progress.accept(unreported);
            unreported = 0;
        }
        if (a.sketch.agreeing(b.sketch) >= least && sharesEarlier(a, b, from, length) == false) {
            graph.link(clique(a), clique(b), -1);
            pairs += (long) a.members.length * b.members.length;
        }
    }

    /** Whether an earlier band linked them already. */
    private static boolean sharesEarlier(Row a, Row b, int from, int length) {
        for (int i = 0; i < from; i += length) {
            if (hash(a.sketch, i, length) == hash(b.sketch, i, length)) {
                return true;
            }
        }
        return false;
    }

    private int clique(Row row) {
        if (row.clique < 0) {
            row.clique = graph.addEqualTexts(row.members);
        }
        return row.clique;
    }

    private static long pairs(long documents) {
        return documents * (documents - 1) / 2;
    }
}
