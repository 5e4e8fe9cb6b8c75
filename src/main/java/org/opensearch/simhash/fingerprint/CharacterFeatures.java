/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/**
 * Features of one ideograph or kana. Analyzers that know no Chinese or Japanese words cut texts into characters, and a
 * few hundred characters make up most of every such text. So a character has only {@value #WEIGHT} of its weight beside
 * features of several tokens (docs/figures/decisions.md).
 */
final class CharacterFeatures {

    static final double WEIGHT = 0.4;

    private CharacterFeatures() {}

    /** Only in fingerprints, with logarithmic weights and features of both one and several tokens. */
    static boolean areDamped(Recipe recipe) {
        return recipe.bandLayout() == null
                && recipe.weighting() == Weighting.LOG_TF
                && recipe.minShingleSize() == 1
                && recipe.maxShingleSize() > 1;
    }

    /**
     * Whether a feature is one character of U+3000 to U+9FFF or of the supplementary ideographic planes. It may be
     * empty.
     */
    static boolean isCharacter(byte[] utf8, int offset, int length) {
        int first = length == 0 ? 0 : utf8[offset] & 0xff;
        if (first < 0xE3) {
            return false;
        }
        return switch (length) {
            case 3 -> first <= 0xE9;
            case 4 -> first == 0xF0 && (utf8[offset + 1] & 0xff) >= 0xA0;
            default -> false;
        };
    }
}
