/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import org.apache.lucene.analysis.Analyzer;

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
        Verdict compare(String text, Runnable checkCancelled);
    }

    private final StrictCharacters strictCharacters;
    private final String text;
    private final String strict;
    private final Rest rest;

    /**
     * Prepares {@code text}.
     *
     * @param analyzer makes the tokens of the token measures; the character measures do not look at it
     * @param text normalised, without markup
     */
    public TextComparison(Verification verification, Analyzer analyzer, String text) {
        this.strictCharacters = verification.strictCharacters();
        this.text = text;
        StrictCharacters.Split split = split(text, () -> {});
        this.strict = split.strict();
        this.rest = verification.measure().comparesShingles()
                ? new ShingleComparison(verification, analyzer, split.rest())
                : new CharacterComparison(verification, split.rest());
    }

    /** Compares with {@code other}, which is normalised in the same way. */
    public Verdict compare(String other) {
        return compare(other, () -> {});
    }

    /**
     * Compares with {@code other}.
     *
     * @param checkCancelled is run every few milliseconds of a long comparison; what it throws ends the comparison
     */
    public Verdict compare(String other, Runnable checkCancelled) {
        if (other.equals(text)) {
            return Verdict.of(1, 1);
        }
        StrictCharacters.Split split = split(other, checkCancelled);
        return split.strict().equals(strict)
                ? rest.compare(split.rest(), checkCancelled)
                : Verdict.STRICT_CHARACTERS_DIFFER;
    }

    private StrictCharacters.Split split(String whole, Runnable checkCancelled) {
        return strictCharacters == null
                ? new StrictCharacters.Split("", whole)
                : strictCharacters.split(whole, checkCancelled);
    }
}
