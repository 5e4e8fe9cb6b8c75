/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import org.opensearch.simhash.fingerprint.UnreadableTextException;

/**
 * Counts what the parts of an analyzer make of one text, as it comes out: no document may end the node. Parts multiply characters: a
 * replacement may be longer than its match, a token has many n-grams. One thread.
 */
final class TextBudget {

    /** Characters allowed for the shortest text. */
    static final int SPARE = 100_000;

    /** Most characters of a token. */
    private static final int TOKEN = 1_000_000;

    /** Most characters that a part makes of each one of the text. */
    private static final int GROWTH = 100;

    /** Most characters that replacements of a regular expression may make of a text at worst. */
    private static final int REPLACED = 64_000_000;

    private final String option;
    private long read;

    /** @param option for errors */
    TextBudget(String option) {
        this.option = option;
    }

    /** Counts characters of the text itself. */
    void read(int characters) {
        read += characters;
    }

    /**
     * Counts characters made by a part.
     *
     * @param part for errors
     * @param all of this text so far
     */
    void made(String part, long all) {
        if (all > (long) GROWTH * read + SPARE) {
            throw refusal("make more than " + GROWTH + " characters of each one of the text, as [" + part + "] does");
        }
    }

    /** Counts a token made by a part. */
    void token(String part, int length) {
        if (length > TOKEN) {
            throw refusal("make tokens of more than " + TOKEN + " characters, as [" + part + "] does");
        }
    }

    /**
     * Counts the input of a replacing part, which buffers its whole output.
     *
     * @param replacement most characters made of one
     */
    void replaced(String part, int replacement, long all) {
        if (all * replacement > REPLACED) {
            throw refusal("replace by more than " + REPLACED + " characters at worst, as [" + part + "] does");
        }
    }

    private UnreadableTextException refusal(String what) {
        return new UnreadableTextException("[" + option + "] must not " + what, null);
    }
}
