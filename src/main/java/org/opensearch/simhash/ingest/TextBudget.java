/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import org.opensearch.simhash.fingerprint.UnreadableTextException;

/**
 * Counts what the parts of an analyzer make of one text, as it comes out, within {@link AnalyzerLimits}. One thread.
 */
final class TextBudget {

    /** Characters allowed for the shortest text. */
    static final int SPARE = 100_000;

    /** Characters of all parts between two checks. A stemmer may be quadratic in a token. */
    private static final int CHARACTERS_BETWEEN_CHECKS = 8192;
    /** Cost of a token or read, in characters. */
    private static final int STEP = 32;

    private final String option;
    private final AnalyzerLimits limits;
    private long read;
    private int unchecked;

    /** @param option for errors */
    TextBudget(String option, AnalyzerLimits limits) {
        this.option = option;
        this.limits = limits;
    }

    /** Counts characters of the text itself. */
    void read(int characters) {
        read += characters;
        if (read > limits.text()) {
            throw refusal("read more than " + limits.text() + " characters");
        }
        step(characters);
    }

    /**
     * Counts characters made by a part.
     *
     * @param part for errors
     * @param characters new ones
     * @param all of this text so far
     */
    void made(String part, int characters, long all) {
        if (all > limits.growth() * read + SPARE) {
            throw refusal("make more than " + limits.growth() + " characters of each one of the text, as [" + part
                    + "] does");
        }
        step(characters);
    }

    /** Counts a token made by a part. */
    void token(String part, int length) {
        if (length > limits.token()) {
            throw refusal("make tokens of more than " + limits.token() + " characters, as [" + part + "] does");
        }
    }

    /**
     * Counts the input of a replacing part, which buffers its whole output.
     *
     * @param replacement most characters made of one
     */
    void replaced(String part, int replacement, long all) {
        if (all * replacement > limits.replaced()) {
            throw refusal("replace by more than " + limits.replaced() + " characters at worst, as [" + part + "] does");
        }
    }

    private void step(int characters) {
        unchecked += STEP + characters;
        if (unchecked > CHARACTERS_BETWEEN_CHECKS) {
            unchecked = 0;
            try {
                limits.check().run();
            } catch (RuntimeException e) {
                throw new Stopped(e);
            }
        }
    }

    private UnreadableTextException refusal(String what) {
        String pipeline = limits.ofRequest() ? " (put it into a pipeline, and name that as [pipeline])" : "";
        return new UnreadableTextException("[" + option + "] must not " + what + pipeline, null);
    }

    /** The work is cancelled; the text did not fail. */
    static final class Stopped extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final RuntimeException reason;

        Stopped(RuntimeException reason) {
            super(reason);
            this.reason = reason;
        }

        RuntimeException reason() {
            return reason;
        }
    }
}
