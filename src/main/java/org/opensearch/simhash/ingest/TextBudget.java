/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import org.opensearch.simhash.fingerprint.UnreadableTextException;

/**
 * What the parts of an analyzer make of one text, as far as {@link AnalyzerLimits} let them: counted while it comes out of each part.
 * One thread.
 */
final class TextBudget {

    /** Characters that a part may make of the shortest text. */
    static final int SPARE = 100_000;

    /** Characters between two looks whether to go on, of all parts: a stemmer's time may grow with the square of a token. */
    private static final int CHARACTERS_BETWEEN_CHECKS = 8192;
    /** What a token or a read counts for beside its characters. */
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

    /** Characters of the text itself were read. */
    void read(int characters) {
        read += characters;
        if (read > limits.text()) {
            throw refusal("read more than " + limits.text() + " characters");
        }
        step(characters);
    }

    /**
     * A part has made characters.
     *
     * @param part for errors
     * @param characters that came
     * @param all of this text until now
     */
    void made(String part, int characters, long all) {
        if (all > limits.growth() * read + SPARE) {
            throw refusal("make more than " + limits.growth() + " characters of each one of the text, as [" + part
                    + "] does");
        }
        step(characters);
    }

    /** A part has made a token. */
    void token(String part, int length) {
        if (length > limits.token()) {
            throw refusal("make tokens of more than " + limits.token() + " characters, as [" + part + "] does");
        }
    }

    /**
     * A part that replaces is given characters: it makes its whole text before it gives any of it away.
     *
     * @param replacement characters that each of them may become
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

    /** The work is not wanted any more: not a failure of the text. */
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
