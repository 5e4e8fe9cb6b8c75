/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.Folding;
import org.opensearch.simhash.fingerprint.UnreadableTextException;

/**
 * One text, prepared once, to be compared with many: a query's text with the texts of its candidates.
 *
 * <p>With {@code min_similarity} 0 every verdict carries the exact similarity. Otherwise a comparison ends as soon as the
 * texts cannot be similar enough: its time then depends on how many differences are allowed, not on how many there are.
 *
 * <p>Immutable; threads may share it when they may share the analyzer.
 */
public final class TextComparison {

    /** The rest of the texts, once the strict characters are out. */
    interface Rest {
        Verdict compare(String text, LongConsumer memory, Runnable checkCancelled);

        /** As {@link TextComparison#bytes}, without the text itself. */
        long bytes();
    }

    /** The strict characters and the rest of them, as they are gathered and as strings. */
    private static final int BYTES_PER_CHARACTER_SPLIT = 8;

    private final StrictCharacters strictCharacters;
    private final String text;
    private final String strict;
    private final Rest rest;

    /** Prepares {@code text}, of whose words nothing is known. */
    public TextComparison(
            Verification verification,
            Folding folding,
            Analyzer analyzer,
            String text,
            LongConsumer memory,
            Runnable checkCancelled) {
        this(verification, folding, analyzer, TokenWeights.EQUAL, text, memory, checkCancelled);
    }

    /**
     * Prepares {@code text}.
     *
     * @param folding which spellings of a text are one
     * @param analyzer makes the tokens of the token measures; the character measures do not look at it
     * @param weights how much words say; only the cosine looks at it
     * @param text normalised, without markup
     * @param memory is told the bytes before they are taken, and may refuse them with an exception; what is left at the end is the
     *     caller's to give back
     * @param checkCancelled is run every few milliseconds of a long text; what it throws ends the work
     */
    public TextComparison(
            Verification verification,
            Folding folding,
            Analyzer analyzer,
            TokenWeights weights,
            String text,
            LongConsumer memory,
            Runnable checkCancelled) {
        this.strictCharacters = verification.strictCharacters();
        this.text = text;
        StrictCharacters.Split split = split(text, memory, checkCancelled);
        this.strict = split.strict();
        this.rest = switch (verification.measure()) {
            case JACCARD, CONTAINMENT ->
                new ShingleComparison(verification, folding, analyzer, split.rest(), memory, checkCancelled);
            case COSINE ->
                new CosineComparison(verification, folding, analyzer, weights, split.rest(), memory, checkCancelled);
            case LEVENSHTEIN, LCS -> new CharacterComparison(verification, folding, split.rest(), memory);
        };
    }

    /** What is kept of the text as long as this is. */
    public long bytes() {
        long split = strictCharacters == null ? 0 : (long) BYTES_PER_CHARACTER_SPLIT * text.length();
        return (long) Character.BYTES * text.length() + split + rest.bytes();
    }

    /**
     * Compares with {@code other}, which is normalised in the same way.
     *
     * @param memory as for {@link #TextComparison}
     * @param checkCancelled is run every few milliseconds of a long comparison; what it throws ends the comparison
     */
    public Verdict compare(String other, LongConsumer memory, Runnable checkCancelled) {
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
            return Verdict.UNREADABLE; // the other one, which must not keep the rest from being compared
        }
    }

    private StrictCharacters.Split split(String whole, LongConsumer memory, Runnable checkCancelled) {
        if (strictCharacters == null) {
            return new StrictCharacters.Split("", whole);
        }
        memory.accept((long) BYTES_PER_CHARACTER_SPLIT * whole.length());
        return strictCharacters.split(whole, checkCancelled);
    }
}
