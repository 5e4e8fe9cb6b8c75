/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The tokens of a text by which extractions are graded: lowercase words, each character of Chinese and Japanese by itself.
 * Not the project's analyzers, so that an error in these cannot hide.
 */
public record Tokens(List<String> tokens) {

    private static final Pattern TOKEN = Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]"
            + "|[\\p{L}\\p{N}\\p{M}&&[^\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]]+");

    public static Tokens of(String text) {
        return new Tokens(TOKEN.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .map(MatchResult::group)
                .toList());
    }

    /** How many tokens both have, counting repetitions. */
    int inCommon(Tokens other) {
        Map<String, Integer> counts = new HashMap<>();
        tokens.forEach(token -> counts.merge(token, 1, Integer::sum));
        int common = 0;
        for (String token : other.tokens) {
            if (counts.merge(token, -1, Integer::sum) >= 0) {
                common++;
            }
        }
        return common;
    }

    /** Jaccard similarity of the sets of three tokens in a row. */
    double similarity(Tokens other) {
        Set<List<String>> mine = shingles();
        Set<List<String>> all = other.shingles();
        int sum = mine.size() + all.size();
        all.addAll(mine);
        return all.isEmpty() ? 1 : (double) (sum - all.size()) / all.size();
    }

    private Set<List<String>> shingles() {
        Set<List<String>> shingles = new HashSet<>();
        for (int i = 0; i + 3 <= tokens.size(); i++) {
            shingles.add(tokens.subList(i, i + 3));
        }
        return shingles;
    }
}
