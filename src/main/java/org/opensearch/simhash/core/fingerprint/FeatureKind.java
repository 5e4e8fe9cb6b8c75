/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.List;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;

/**
 * What a feature is made of, and what that weighs. The features of one token are the fewest, and unrelated texts of a language share
 * them: the less they weigh, the fewer texts are near by chance, and the more edits move near texts apart. The weights keep both
 * bounds on all labelled texts (docs/figures/quality.md).
 */
public enum FeatureKind {
    RUN(0, 1),
    WORD(1, 0.9),
    /** One token of a script whose words {@link ScriptGrams} cuts into overlapping runs. There are as many of them as letters. */
    GRAM(2, 0.6),
    /**
     * One ideograph or kana. Analyzers that know no Chinese or Japanese words cut texts into characters, and a few hundred characters
     * make up most of every such text.
     */
    CHARACTER(3, 0.4);

    /** By number. */
    static final List<FeatureKind> KINDS = List.of(values());

    private final byte number;
    private final double weight;

    FeatureKind(int number, double weight) {
        this.number = (byte) number;
        this.weight = weight;
    }

    byte number() {
        return number;
    }

    double weight() {
        return weight;
    }

    /** Only in fingerprints, with logarithmic weights and features of both one and several tokens. */
    static boolean areWeighted(Recipe recipe) {
        return recipe.bandLayout() == null
                && recipe.weighting() == Weighting.LOG_TF
                && recipe.minShingleSize() == 1
                && recipe.maxShingleSize() > 1;
    }

    /** The kind of a feature of one token, by its first character. It may be empty. */
    static FeatureKind ofToken(byte[] utf8, int offset, int length) {
        int first = length == 0 ? 0 : utf8[offset] & 0xff;
        if (first < 0xE0 || length < 3) {
            return WORD;
        }
        if (first >= 0xF0) {
            return length == 4 && first == 0xF0 && (utf8[offset + 1] & 0xff) >= 0xA0 ? CHARACTER : WORD;
        }
        if (first >= 0xE3 && first <= 0xE9 && length == 3) {
            return CHARACTER; // U+3000 to U+9FFF
        }
        int codePoint = (first & 0x0f) << 12 | (utf8[offset + 1] & 0x3f) << 6 | (utf8[offset + 2] & 0x3f);
        return isOfGrams(codePoint) ? GRAM : WORD;
    }

    /** Hangul, and the scripts of class SA of Unicode's line breaking. */
    static boolean isOfGrams(int codePoint) {
        return isIn(codePoint, 0x0E00, 0x0EFF) // Thai, Lao
                || isIn(codePoint, 0x1000, 0x109F) // Burmese
                || isIn(codePoint, 0x1100, 0x11FF) // Hangul
                || isIn(codePoint, 0x1780, 0x17FF) // Khmer
                || isIn(codePoint, 0x1950, 0x19DF) // Tai Le, New Tai Lue
                || isIn(codePoint, 0x1A20, 0x1AAF) // Tai Tham
                || isIn(codePoint, 0xA9E0, 0xA9FF) // Burmese
                || isIn(codePoint, 0xAA60, 0xAADF) // Burmese, Tai Viet
                || isIn(codePoint, 0xAC00, 0xD7FF); // Hangul
    }

    private static boolean isIn(int codePoint, int from, int to) {
        return codePoint >= from && codePoint <= to;
    }
}
