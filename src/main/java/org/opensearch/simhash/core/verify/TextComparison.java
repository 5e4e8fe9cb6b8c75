/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.text.UnreadableTextException;

/**
 * One prepared text, to be compared with many: a query's text with its candidates.
 *
 * <p>With {@code min_similarity} 0 verdicts carry the exact similarity. Otherwise a comparison ends once the texts
 * cannot be similar enough, so its time follows the allowed differences.
 *
 * <p>Immutable; as thread-safe as the analyzer.
 */
public final class TextComparison {

    /** The rest of the texts, without strict characters. */
    interface Rest {
        Verdict compare(String text, LongConsumer memory, Runnable checkCancelled);

        /** Like {@link TextComparison#bytes}, without the text itself. */
        long bytes();
    }

    /** Strict characters and rest, as builders and as strings. */
    private static final int BYTES_PER_CHARACTER_SPLIT = 8;

    private final StrictCharacters strictCharacters;
    private final Boilerplate strip;
    private final boolean isOfCharacters;
    private final String text;
    private final String strict;
    private final Rest rest;

    /** The text is normalised, without markup. Facts need {@link ContentWords}; weights are for the cosine. The caller gives back the memory. */
    public TextComparison(
            Verification verification,
            Analyzer analyzer,
            TokenWeights weights,
            String text,
            LongConsumer memory,
            Runnable checkCancelled) {
        this.strictCharacters = verification.strictCharacters();
        this.strip = verification.strip();
        this.text = strip.strip(text);
        this.isOfCharacters = verification.measure().comparesCharacters();
        StrictCharacters.Split split = split(this.text, memory, checkCancelled);
        this.strict = split.strict();
        this.rest = switch (verification.measure()) {
            case JACCARD, CONTAINMENT ->
                new ShingleComparison(verification, analyzer, split.rest(), memory, checkCancelled);
            case COSINE -> new CosineComparison(verification, analyzer, weights, split.rest(), memory, checkCancelled);
            case LEVENSHTEIN, LCS -> new CharacterComparison(verification, split.rest(), memory);
            case FACTS ->
                new FactComparison(
                        verification,
                        analyzer instanceof ContentWords words ? words : ContentWords.of(null),
                        split.rest(),
                        memory);
        };
    }

    /** Memory kept while this object lives. */
    public long bytes() {
        long split = strictCharacters == null ? 0 : (long) BYTES_PER_CHARACTER_SPLIT * text.length();
        return (long) Character.BYTES * text.length() + split + rest.bytes();
    }

    /** Compares with {@code prepared}, normalised in the same way. */
    public Verdict compare(String prepared, LongConsumer memory, Runnable checkCancelled) {
        String other = strip.strip(prepared);
        if (strip.isEmpty() == false && (other.isBlank() || text.isBlank())) {
            return Verdict.NO_TEXT; // what consists of blocks is like nothing
        }
        if (other.equals(text)) {
            return Verdict.EQUAL;
        }
        StrictCharacters.Split split = split(other, memory, checkCancelled);
        if (split.strict().equals(strict) == false) {
            return Verdict.STRICT_CHARACTERS_DIFFER;
        }
        try {
            return rest.compare(split.rest(), memory, checkCancelled);
        } catch (UnreadableTextException e) {
            return Verdict.UNREADABLE; // only this text is unreadable; comparisons with others continue
        }
    }

    private StrictCharacters.Split split(String whole, LongConsumer memory, Runnable checkCancelled) {
        if (strictCharacters == null) {
            return new StrictCharacters.Split("", whole);
        }
        memory.accept((long) BYTES_PER_CHARACTER_SPLIT * whole.length());
        StrictCharacters.Split split = strictCharacters.split(whole, checkCancelled);
        return isOfCharacters ? split.ofLetters() : split;
    }

    /**
     * Cosine of the weighted shingles of two texts. Rare words count most, so a shared footer counts little. Analyses both
     * texts as a whole and sorts their shingles. Memory: 16 bytes per shingle.
     */
    private static final class CosineComparison implements TextComparison.Rest {

        private final Verification verification;
        private final TokenShingles shingles;
        private final TokenWeights weights;
        private final String text;
        private final ShingleVector own;

        CosineComparison(
                Verification verification,
                Analyzer analyzer,
                TokenWeights weights,
                String text,
                LongConsumer memory,
                Runnable checkCancelled) {
            this.verification = verification;
            this.shingles = new TokenShingles(analyzer, verification.shingleSize());
            this.weights = weights;
            this.text = text;
            this.own = ShingleVector.of(shingles, weights, text, memory, checkCancelled);
        }

        @Override
        public Verdict compare(String other, LongConsumer memory, Runnable checkCancelled) {
            ShingleVector vector = ShingleVector.of(shingles, weights, other, memory, checkCancelled);
            double similarity = own.isEmpty() && vector.isEmpty()
                    ? CodePoints.areEqual(text, other, memory) ? 1 : 0
                    : own.cosine(vector);
            return Verdict.of(similarity, verification.minSimilarity());
        }

        @Override
        public long bytes() {
            return own.bytes();
        }
    }
}
