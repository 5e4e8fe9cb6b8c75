/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import org.apache.lucene.analysis.Analyzer;

/** The analyzer {@code standard} for fingerprints: its terms and nothing else, see {@link StandardWordTokenizer}. */
public final class StandardWordAnalyzer extends Analyzer {

    @Override
    protected TokenStreamComponents createComponents(String fieldName) {
        return new TokenStreamComponents(new StandardWordTokenizer());
    }
}
