/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

/**
 * What an analyzer that somebody put together may make of a text. Parts multiply what they read: a replacement is longer than what it
 * replaces, a token has many n-grams.
 *
 * @param ofRequest whether a request brings the analyzer along; else it stands in a pipeline
 * @param text most characters of a text
 * @param token most characters of a token
 * @param growth most characters that come out of a part for each character of the text
 * @param replaced most characters that replacements of a regular expression may make of a text, at worst
 * @param check is run now and then; what it throws ends the work
 */
record AnalyzerLimits(boolean ofRequest, int text, int token, int growth, int replaced, Runnable check) {

    /** Of those who may make pipelines: a document must not end the node, whatever the pipeline makes of it. */
    static final AnalyzerLimits OF_PIPELINES =
            new AnalyzerLimits(false, Integer.MAX_VALUE, 1_000_000, 100, 64_000_000, () -> {});

    /** Of those who may read indices. */
    static AnalyzerLimits ofRequest(Runnable check) {
        return new AnalyzerLimits(true, 1_000_000, 10_000, 32, 4_000_000, check);
    }
}
