/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.opensearch.simhash.core.fingerprint.SourceTexts.FieldTexts;
import org.opensearch.simhash.core.passages.Words;

/**
 * The token hashes of the document that a thread analysed last. Two recipes with the same analysis then analyse it
 * once. Keeps documents of at most {@value #MOST_CHARACTERS} characters and {@value #MOST_TOKENS} tokens, 256 kB a
 * thread. Not thread-safe.
 */
final class AnalysedTexts {

    static final int MOST_CHARACTERS = 1 << 16;
    static final int MOST_TOKENS = 1 << 14;

    private static final int FIRST_CAPACITY = 512;

    /** Null while nothing is kept. */
    private String analysis;

    private SourceTexts texts;
    private String digest;

    private long[] hashes = new long[FIRST_CAPACITY];
    private FeatureKind[] kinds = new FeatureKind[FIRST_CAPACITY];

    private int size;
    /** Ends of the texts, as token indexes. */
    private int[] ends = new int[8];

    private int count;

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

    /** Forgets the document. */
    void begin() {
        analysis = null;
        texts = null;
        size = 0;
        count = 0;
    }

    void token(long hash, FeatureKind kind) {
        if (size == hashes.length) {
            if (size == MOST_TOKENS) {
                return; // the document is too long; end() sees the missing token
            }
            hashes = Arrays.copyOf(hashes, 2 * size);
            kinds = Arrays.copyOf(kinds, 2 * size);
        }
        hashes[size] = hash;
        kinds[size] = kind;
        size++;
    }

    void endText() {
        if (count == MOST_TOKENS) {
            size = MOST_TOKENS;
            return;
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        ends[count++] = size;
    }

    /** Keeps the document under its analysis. */
    void end(String newAnalysis, SourceTexts newTexts, String newDigest) {
        if (size < MOST_TOKENS && characters(newTexts) <= MOST_CHARACTERS) {
            analysis = newAnalysis;
            texts = newTexts;
            digest = newDigest;
        }
    }

    private static long characters(SourceTexts texts) {
        long sum = 0;
        for (FieldTexts field : texts.fields()) {
            for (String value : field.values()) {
                sum += value.length();
            }
        }
        return sum;
    }

    /** The tokens as the words of texts. */
    void addTo(Words words) {
        for (int text = 0; text < count; text++) {
            words.addText(hashes, from(text), to(text));
        }
    }

    String digest() {
        return digest;
    }

    /** First token of text {@code i}. */
    int from(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }

    /** End of the tokens of text {@code i}. */
    int to(int i) {
        return ends[i];
    }

    long hash(int token) {
        return hashes[token];
    }

    FeatureKind kind(int token) {
        return kinds[token];
    }
}
