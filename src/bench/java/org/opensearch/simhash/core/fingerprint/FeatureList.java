/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.opensearch.simhash.core.text.SourceTexts;

/**
 * The distinct features of a text, each of one token or two, and how often they occur: with them a fingerprint by another hash or
 * other weights takes a fraction of the time that the text does. Immutable.
 */
public final class FeatureList {

    private static final int NONE = -1;

    /** Numbers of tokens in the vocabulary. */
    private final int[] first;

    /** Of the token that follows, or {@link #NONE}. */
    private final int[] second;

    private final int[] counts;

    private FeatureList(int size) {
        first = new int[size];
        second = new int[size];
        counts = new int[size];
    }

    /** @param fingerprinter of features of one token and two, without spaces in them */
    public static FeatureList of(SourceTexts texts, Fingerprinter fingerprinter, Vocabulary vocabulary) {
        Map<String, Integer> counted = new LinkedHashMap<>();
        fingerprinter.features(
                texts,
                (hash, kind, utf8, offset, length) ->
                        counted.merge(new String(utf8, offset, length, StandardCharsets.UTF_8), 1, Integer::sum),
                bytes -> {});
        FeatureList features = new FeatureList(counted.size());
        int i = 0;
        for (Map.Entry<String, Integer> feature : counted.entrySet()) {
            int space = feature.getKey().indexOf(' ');
            boolean isOne = space < 0;
            features.first[i] = vocabulary.number(
                    isOne ? feature.getKey() : feature.getKey().substring(0, space));
            features.second[i] =
                    isOne ? NONE : vocabulary.number(feature.getKey().substring(space + 1));
            features.counts[i++] = feature.getValue();
        }
        return features;
    }

    /**
     * The fingerprint.
     *
     * @param hashes of the tokens
     * @param factors of features of one token
     * @param weights by how often a feature occurs
     */
    public long bits(long[] hashes, double[] factors, IntToDoubleFunction weights) {
        BitVotes votes = new BitVotes();
        for (int i = 0; i < first.length; i++) {
            boolean isOne = second[i] == NONE;
            long hash = hashes[first[i]];
            double weight = weights.applyAsDouble(counts[i]);
            votes.add(
                    isOne ? hash : HashFunction.join(hash, hashes[second[i]]),
                    Math.round(isOne ? weight * factors[first[i]] : weight));
        }
        return votes.fingerprint();
    }
}
