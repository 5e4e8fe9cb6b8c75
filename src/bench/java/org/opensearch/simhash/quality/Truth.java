/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.quality.DataSet.Pair;

/**
 * What is true of the pairs of a data set, by exact similarity of shingles of words or characters: for listed pairs the one that the data set
 * states, otherwise that of {@link ShingleSets}.
 *
 * <p>Unlisted pairs of one group say nothing. Those of different groups are unrelated when their similarity is below a limit;
 * above it they say nothing (template twins, a page under another name).
 */
final class Truth {

    /** Pairs that must be found by the measure that users verify with. */
    static final double NEAR = 0.8;
    /** Two versions of a document that must be found by any measure. */
    static final double MUST = 0.7;
    /** From here on texts of different groups are taken for alike rather than for chance. */
    static final double ALIKE = 0.5;
    /** Below it, texts of different groups have nothing in common but their language, subject or form. */
    static final double UNRELATED = 0.2;

    private final List<Pair> listed = new ArrayList<>();
    private final int[] groups;
    /** Pairs of different groups with some similarity, the listed ones with 1. */
    private final List<Pair> related = new ArrayList<>();

    private final ShingleSets shingles;

    Truth(DataSet set, ShingleSets wordShingles) {
        shingles = wordShingles;
        groups = groups(set);
        Map<Long, Pair> known = new HashMap<>();
        for (Pair pair : set.pairs()) {
            if (pair.a() != pair.b() && known.putIfAbsent(key(pair.a(), pair.b()), pair) == null) {
                double jaccard = Double.isNaN(pair.jaccard()) ? jaccard(pair.a(), pair.b()) : pair.jaccard();
                listed.add(new Pair(pair.a(), pair.b(), pair.label(), jaccard));
                addRelated(pair.a(), pair.b(), 1);
            }
        }
        shingles.forEachPair(UNRELATED, (a, b, jaccard) -> {
            if (known.containsKey(key(a, b)) == false) {
                addRelated(a, b, jaccard);
            }
        });
    }

    private void addRelated(int a, int b, double jaccard) {
        if (groups[a] != groups[b]) {
            related.add(new Pair(a, b, null, jaccard));
        }
    }

    private static int[] groups(DataSet set) {
        Map<String, Integer> numbers = new HashMap<>();
        return set.documents().stream()
                .mapToInt(document -> numbers.computeIfAbsent(document.group(), unused -> numbers.size()))
                .toArray();
    }

    /** The listed pairs, each once, all with a similarity. */
    List<Pair> listed() {
        return listed;
    }

    int documents() {
        return groups.length;
    }

    boolean sameGroup(int a, int b) {
        return groups[a] == groups[b];
    }

    /** Exact similarity of any two documents. */
    double jaccard(int a, int b) {
        return shingles.jaccard(a, b);
    }

    /**
     * Unrelated pairs by distance; there they are wrong.
     *
     * @param limit of similarity, at least {@link #UNRELATED}
     */
    Curve unrelated(Distances distances, double limit) {
        Curve unrelated = new Curve(distances.largest());
        for (int b = 0; b < groups.length; b++) {
            for (int a = 0; a < b; a++) {
                if (groups[a] != groups[b]) {
                    unrelated.count(false, distances.of(a, b), 1);
                }
            }
        }
        for (Pair pair : related) {
            if (pair.jaccard() >= limit) {
                unrelated.count(false, distances.of(pair.a(), pair.b()), -1);
            }
        }
        return unrelated;
    }

    private static long key(int a, int b) {
        return ((long) Math.min(a, b) << Integer.SIZE) | Math.max(a, b);
    }
}
