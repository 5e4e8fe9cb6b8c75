/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;

/**
 * What features weigh.
 *
 * @param tokens factor of a feature of one token
 * @param byCount weight of a feature by how often it occurs
 */
public record Weights(ToDoubleFunction<String> tokens, IntToDoubleFunction byCount) {

    /** Those of the default recipe. */
    public static final Weights DEFAULT = ofKinds(
            FeatureKind.WORD.weight(), FeatureKind.GRAM.weight(), FeatureKind.CHARACTER.weight());

    /** Words, runs of {@link ScriptGrams} and single ideographs or kana; features of two tokens weigh 1. */
    public static Weights ofKinds(double word, double gram, double character) {
        return new Weights(
                token -> switch (kind(token)) {
                    case CHARACTER -> character;
                    case GRAM -> gram;
                    default -> word;
                },
                Weighting.LOG_TF::weight);
    }

    /** With another factor of words of a few letters. */
    public Weights shortWords(int letters, double factor) {
        return new Weights(
                token -> kind(token) != FeatureKind.WORD || token.codePointCount(0, token.length()) > letters
                        ? tokens.applyAsDouble(token)
                        : factor,
                byCount);
    }

    /** What occurs more often weighs as if it occurred so often. */
    public Weights atMost(int count) {
        return new Weights(tokens, actual -> byCount.applyAsDouble(Math.min(actual, count)));
    }

    /** Weights {@code 1 + slope * ln(count)}. */
    public Weights slope(double slope) {
        return new Weights(tokens, count -> Math.round(Weighting.ONE * (1 + slope * StrictMath.log(count))));
    }

    private static FeatureKind kind(String token) {
        byte[] utf8 = token.getBytes(StandardCharsets.UTF_8);
        return FeatureKind.ofToken(utf8, 0, utf8.length);
    }
}
