/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import org.apache.lucene.analysis.Analyzer;

/**
 * The analyzer {@code standard} for fingerprints: its terms and nothing else, see {@link WordCutter}. One for a node: each thread
 * that uses it keeps 100 kB.
 */
public final class StandardWordAnalyzer extends Analyzer {

    private final ThreadLocal<WordCutter> cutters = ThreadLocal.withInitial(WordCutter::new);

    @Override
    protected TokenStreamComponents createComponents(String fieldName) {
        return new TokenStreamComponents(new StandardWordTokenizer());
    }

    /** This thread's, which finds the same words with less ado than a token stream. */
    WordCutter cutter() {
        return cutters.get();
    }
}
