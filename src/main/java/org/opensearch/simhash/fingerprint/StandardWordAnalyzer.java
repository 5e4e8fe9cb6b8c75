/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

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

    /** The words of {@link WordCutter} as a token stream, without offsets, positions and types. */
    private static final class StandardWordTokenizer extends Tokenizer {

        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private final WordCutter words = new WordCutter();

        @Override
        public void reset() throws IOException {
            super.reset();
            words.begin(input);
        }

        @Override
        public boolean incrementToken() throws IOException {
            clearAttributes();
            if (words.next() == false) {
                return false;
            }
            words.copyTo(term);
            return true;
        }

        @Override
        public void close() throws IOException {
            super.close();
            words.close();
        }
    }
}
