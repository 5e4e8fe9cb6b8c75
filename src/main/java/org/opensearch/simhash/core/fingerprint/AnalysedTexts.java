/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;

/**
 * The token hashes of the document that a thread analysed last. Two recipes with the same analysis then analyse it once. Keeps documents of
 * at most {@value #MOST_CHARACTERS} characters and {@value #MOST_TOKENS} tokens, 256 kB a thread. Not thread-safe.
 */
final class AnalysedTexts {

    static final int MOST_CHARACTERS = 1 << 16;
    static final int MOST_TOKENS = 1 << 14;

    /** Null while nothing is kept. */
    private String analysis;

    private SourceTexts texts;
    private String digest;

    private final Words tokens = new Words(bytes -> {});
    /** By token; numbers, since a reference in an old array costs the collector's barrier. */
    private byte[] kinds = new byte[512];

    /** Whether these texts are kept for this analysis. */
    boolean areOf(String wantedAnalysis, SourceTexts wanted) {
        return wantedAnalysis.equals(analysis)
                && Objects.equals(wanted.language(), texts.language())
                && haveEqualValues(wanted.fields(), texts.fields());
    }

    /** Weights do not change tokens. Allocates nothing, since every document asks. */
    private static boolean haveEqualValues(List<FieldTexts> some, List<FieldTexts> others) {
        boolean areEqual = some.size() == others.size();
        for (int i = 0; i < some.size() && areEqual; i++) {
            areEqual = some.get(i).values().equals(others.get(i).values());
        }
        return areEqual;
    }

    void begin() {
        analysis = null;
        texts = null;
        tokens.clear();
    }

    /** The first ones only of a document that is too long. */
    void token(long hash, FeatureKind kind) {
        int at = tokens.size();
        if (at < MOST_TOKENS) {
            kinds = at < kinds.length ? kinds : Arrays.copyOf(kinds, 2 * at);
            kinds[at] = kind.number();
            tokens.add(hash);
        }
    }

    void endText() {
        if (tokens.texts() < MOST_TOKENS) {
            tokens.endText();
        }
    }

    /** Keeps the document under its analysis. */
    void end(String newAnalysis, SourceTexts newTexts, String newDigest) {
        if (Math.max(tokens.size(), tokens.texts()) < MOST_TOKENS && newTexts.characters() <= MOST_CHARACTERS) {
            analysis = newAnalysis;
            texts = newTexts;
            digest = newDigest;
        }
    }

    Words tokens() {
        return tokens;
    }

    String digest() {
        return digest;
    }

    FeatureKind kind(int token) {
        return FeatureKind.KINDS.get(kinds[token]);
    }
}
