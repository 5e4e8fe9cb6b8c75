/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

/**
 * The result of a comparison. The similarity is exact if measured, and 0 if strict characters differ. It is {@code NaN}
 * if it was not needed ({@code BELOW_MINIMUM}) or not available ({@code TOO_LARGE}).
 *
 * @param outcome whether the texts are similar enough, or why not
 * @param similarity 0 to 1, or {@code NaN}
 */
public record Verdict(Outcome outcome, double similarity) {

    public enum Outcome {
        SIMILAR("similar"),
        BELOW_MINIMUM("similarity below [min_similarity]"),
        STRICT_CHARACTERS_DIFFER("[strict_characters] differ"),
        TOO_LARGE("not verified: texts too large, or too different for their size, for a character measure"),
        UNREADABLE("not verified: the analyzer fails on the text"),
        NO_TEXT("not verified: there is no text in the field of [verify]");

        private final String reason;

        Outcome(String reason) {
            this.reason = reason;
        }

        /** In words, for evidence and explanations. */
        public String reason() {
            return reason;
        }
    }

    public static final Verdict BELOW_MINIMUM = new Verdict(Outcome.BELOW_MINIMUM, Double.NaN);
    static final Verdict STRICT_CHARACTERS_DIFFER = new Verdict(Outcome.STRICT_CHARACTERS_DIFFER, 0);
    static final Verdict TOO_LARGE = new Verdict(Outcome.TOO_LARGE, Double.NaN);

    public static final Verdict EQUAL = new Verdict(Outcome.SIMILAR, 1);
    public static final Verdict UNREADABLE = new Verdict(Outcome.UNREADABLE, Double.NaN);
    public static final Verdict NO_TEXT = new Verdict(Outcome.NO_TEXT, Double.NaN);

    /** The verdict for an exact similarity. */
    static Verdict of(double similarity, double minSimilarity) {
        return similarity >= minSimilarity ? new Verdict(Outcome.SIMILAR, similarity) : BELOW_MINIMUM;
    }

    public boolean isSimilar() {
        return outcome == Outcome.SIMILAR;
    }
}
