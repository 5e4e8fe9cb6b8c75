/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A measure of similarity: symmetric, from 0 (nothing in common) to 1. */
public enum Measure {
    /** |A ∩ B| / |A ∪ B| of the sets of token shingles. */
    JACCARD,
    /** |A ∩ B| / min(|A|, |B|) of the sets of token shingles: 1 when one text is part of the other. */
    CONTAINMENT,
    /** The cosine of the vectors of token shingles, weighted by their counts and by the weights of their words. */
    COSINE,
    /** 1 - edits / longer length; an edit inserts, deletes or replaces one code point. */
    LEVENSHTEIN,
    /** 2 · LCS / (|a| + |b|), LCS being the length of the longest common subsequence of code points. */
    LCS,
    /** 1 if two short texts say the same; see {@link FactComparison}. */
    FACTS;

    public static final String NAMES =
            Arrays.stream(values()).map(Measure::toString).collect(Collectors.joining(", ", "[", "]"));

    public static Measure parse(String name) {
        for (Measure measure : values()) {
            if (measure.toString().equals(name)) {
                return measure;
            }
        }
        throw new IllegalArgumentException("[measure] must be one of " + NAMES + ", got: " + name);
    }

    /** Whether token shingles are compared, so that an analyzer is needed. */
    public boolean comparesShingles() {
        return this == JACCARD || this == CONTAINMENT || this == COSINE;
    }

    public boolean comparesCharacters() {
        return this == LEVENSHTEIN || this == LCS;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
