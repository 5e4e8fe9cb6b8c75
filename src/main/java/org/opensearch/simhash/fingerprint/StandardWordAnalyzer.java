/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import org.apache.lucene.analysis.Analyzer;

/**
 * The analyzer {@code standard} for fingerprints. It makes terms only, see {@link WordCutter}. One per node: each
 * thread that uses it keeps 100 kB.
 */
public final class StandardWordAnalyzer extends Analyzer {

    private final ThreadLocal<WordCutter> cutters = ThreadLocal.withInitial(WordCutter::new);

    @Override
    protected TokenStreamComponents createComponents(String fieldName) {
        return new TokenStreamComponents(new StandardWordTokenizer());
    }

    /** This thread's cutter. It finds the same words, faster than a token stream. */
    WordCutter cutter() {
        return cutters.get();
    }
}
