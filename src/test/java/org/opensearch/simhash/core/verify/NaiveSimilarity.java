/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The measures as their definitions say, cell by cell and string by string: what the fast ones must equal. */
final class NaiveSimilarity {

    private NaiveSimilarity() {}

    /** Levenshtein or LCS of texts without white space to collapse. */
    static double of(Measure measure, String a, String b) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        if (x.length + y.length == 0) {
            return 1;
        }
        return switch (measure) {
            case LEVENSHTEIN -> {
                int longer = Math.max(x.length, y.length);
                yield (longer - edits(x, y)) / (double) longer;
            }
            case LCS -> 2.0 * longestCommonSubsequence(x, y) / (x.length + y.length);
            default -> throw new AssertionError(measure);
        };
    }

    /** Jaccard or containment of the shingles of two token lists that are not both empty. */
    static double of(Measure measure, List<String> a, List<String> b, int size) {
        Set<List<String>> x = shingles(a, size);
        Set<List<String>> y = shingles(b, size);
        Set<List<String>> shared = new HashSet<>(x);
        shared.retainAll(y);
        Set<List<String>> all = new HashSet<>(x);
        all.addAll(y);
        int whole = measure == Measure.JACCARD ? all.size() : Math.min(x.size(), y.size());
        return whole == 0 ? 0 : shared.size() / (double) whole;
    }

    private static Set<List<String>> shingles(List<String> tokens, int size) {
        Set<List<String>> shingles = new HashSet<>();
        if (tokens.isEmpty() == false && tokens.size() < size) {
            shingles.add(tokens);
        }
        for (int i = 0; i + size <= tokens.size(); i++) {
            shingles.add(tokens.subList(i, i + size));
        }
        return shingles;
    }

    private static int edits(int[] x, int[] y) {
        int[] previous = new int[y.length + 1];
        for (int j = 0; j <= y.length; j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= x.length; i++) {
            int[] current = new int[y.length + 1];
            current[0] = i;
            for (int j = 1; j <= y.length; j++) {
                int replaced = previous[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[y.length];
    }

    private static int longestCommonSubsequence(int[] x, int[] y) {
        int[] previous = new int[y.length + 1];
        for (int i = 1; i <= x.length; i++) {
            int[] current = new int[y.length + 1];
            for (int j = 1; j <= y.length; j++) {
                current[j] = x[i - 1] == y[j - 1] ? previous[j - 1] + 1 : Math.max(previous[j], current[j - 1]);
            }
            previous = current;
        }
        return previous[y.length];
    }
}
