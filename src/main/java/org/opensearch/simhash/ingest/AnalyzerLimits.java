/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

/**
 * Limits on what a custom analyzer makes of a text. Its parts multiply characters: a replacement may be longer than its
 * match, a token has many n-grams.
 *
 * @param ofRequest whether a request defines the analyzer; otherwise a pipeline does
 * @param text most characters of a text
 * @param token most characters of a token
 * @param growth most output characters of a part per character of the text
 * @param replaced worst-case characters that replacements of a regular expression may make of a text
 * @param check called regularly; it may throw to end the work
 */
record AnalyzerLimits(boolean ofRequest, int text, int token, int growth, int replaced, Runnable check) {

    /** For those who may define pipelines: no document may end the node. */
    static final AnalyzerLimits OF_PIPELINES =
            new AnalyzerLimits(false, Integer.MAX_VALUE, 1_000_000, 100, 64_000_000, () -> {});

    /** For those who may read indices. */
    static AnalyzerLimits ofRequest(Runnable check) {
        return new AnalyzerLimits(true, 1_000_000, 10_000, 32, 4_000_000, check);
    }
}
