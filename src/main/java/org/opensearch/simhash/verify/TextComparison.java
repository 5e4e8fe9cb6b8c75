/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import org.apache.lucene.analysis.Analyzer;
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
        Verdict compare(String text, Runnable checkCancelled);

        /** As {@link TextComparison#bytes}, without the texts themselves. */
        long bytes(int characters);
    }

    /** A set of shingles takes more than an alignment; there may be a shingle for each character. */
    private static final int BYTES_PER_CHARACTER = LongSet.MOST_BYTES_PER_HASH;

    /** The strict characters and the rest of them, as they are gathered and as strings. */
    private static final int BYTES_PER_CHARACTER_SPLIT = 8;

    private final StrictCharacters strictCharacters;
    private final String text;
    private final String strict;
    private final Rest rest;

    /**
     * Prepares {@code text}.
     *
     * @param analyzer makes the tokens of the token measures; the character measures do not look at it
     * @param text normalised, without markup
     * @param checkCancelled is run every few milliseconds of a long text; what it throws ends the work
     */
    public TextComparison(Verification verification, Analyzer analyzer, String text, Runnable checkCancelled) {
        this.strictCharacters = verification.strictCharacters();
        this.text = text;
        StrictCharacters.Split split = split(text, checkCancelled);
        this.strict = split.strict();
        this.rest = verification.measure().comparesShingles()
                ? new ShingleComparison(verification, analyzer, split.rest(), checkCancelled)
                : new CharacterComparison(verification, split.rest());
    }

    /** Most bytes of buffers that it takes to prepare a text of so many characters. */
    public static long bytesToPrepare(int characters) {
        return (long) (BYTES_PER_CHARACTER + BYTES_PER_CHARACTER_SPLIT) * characters;
    }

    /** Most bytes of buffers, the prepared text's among them, that it takes to compare with a text of so many characters. */
    public long bytes(int characters) {
        long split = strictCharacters == null ? 0 : (long) BYTES_PER_CHARACTER_SPLIT * characters;
        return (long) Character.BYTES * text.length() + split + rest.bytes(characters);
    }

    /**
     * Compares with {@code other}, which is normalised in the same way.
     *
     * @param checkCancelled is run every few milliseconds of a long comparison; what it throws ends the comparison
     */
    public Verdict compare(String other, Runnable checkCancelled) {
        if (other.equals(text)) {
            return Verdict.EQUAL;
        }
        StrictCharacters.Split split = split(other, checkCancelled);
        if (split.strict().equals(strict) == false) {
            return Verdict.STRICT_CHARACTERS_DIFFER;
        }
        try {
            return rest.compare(split.rest(), checkCancelled);
        } catch (UnreadableTextException e) {
            return Verdict.UNREADABLE; // the other one, which must not keep the rest from being compared
        }
    }

    private StrictCharacters.Split split(String whole, Runnable checkCancelled) {
        return strictCharacters == null
                ? new StrictCharacters.Split("", whole)
                : strictCharacters.split(whole, checkCancelled);
    }
}
