/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.List;
import java.util.Map;

/**
 * The result of a comparison. The similarity is exact if measured, 0 if strict characters differ, and {@code NaN} if
 * it was not needed ({@code BELOW_MINIMUM}) or not available ({@code TOO_LARGE}).
 *
 * @param differences of facts: {@code words}, {@code number}, {@code negation} or {@code order}, each with the words of both sides
 */
public record Verdict(Outcome outcome, double similarity, Map<String, List<List<String>>> differences) {

    public enum Outcome {
        SIMILAR("similar"),
        BELOW_MINIMUM("similarity below [min_similarity]"),
        STRICT_CHARACTERS_DIFFER("[strict_characters] differ"),
        FACTS_DIFFER("not the same is said"),
        TOO_LARGE("not verified: texts too large, or too different for their size, for a character measure"),
        UNREADABLE("not verified: the analyzer fails on the text"),
        NO_TEXT("not verified: there is no text in the field of [verify]");

        private final String reason;

        Outcome(String reason) {
            this.reason = reason;
        }
    }

    public Verdict(Outcome outcome, double similarity) {
        this(outcome, similarity, Map.of());
    }

    public static final Verdict BELOW_MINIMUM = new Verdict(Outcome.BELOW_MINIMUM, Double.NaN);
    static final Verdict STRICT_CHARACTERS_DIFFER = new Verdict(Outcome.STRICT_CHARACTERS_DIFFER, 0);
    static final Verdict TOO_LARGE = new Verdict(Outcome.TOO_LARGE, Double.NaN);

    public static final Verdict EQUAL = new Verdict(Outcome.SIMILAR, 1);
    public static final Verdict UNREADABLE = new Verdict(Outcome.UNREADABLE, Double.NaN);
    public static final Verdict NO_TEXT = new Verdict(Outcome.NO_TEXT, Double.NaN);

    static Verdict of(double similarity, double minSimilarity) {
        return similarity >= minSimilarity ? new Verdict(Outcome.SIMILAR, similarity) : BELOW_MINIMUM;
    }

    /** In words, for evidence and explanations. */
    public String reason() {
        return outcome.reason + differing();
    }

    /** In words; empty if no facts differ. */
    public String differing() {
        return differences.isEmpty() ? "" : ", differing in " + differences;
    }

    public boolean isSimilar() {
        return outcome == Outcome.SIMILAR;
    }
}
