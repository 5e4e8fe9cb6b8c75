/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * The analyzer {@code standard} for fingerprints. It makes terms only, see {@link WordCutter}. One per node: each
 * thread that uses it keeps 100 kB.
 */
public final class StandardWordAnalyzer extends Analyzer {

    private final ThreadLocal<WordCutter> cutters = ThreadLocal.withInitial(() -> new WordCutter(false));
    private final Analyzer comparing = new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String fieldName) {
            return new TokenStreamComponents(new StandardWordTokenizer(true));
        }
    };

    @Override
    protected TokenStreamComponents createComponents(String fieldName) {
        return new TokenStreamComponents(new StandardWordTokenizer(false));
    }

    /** The same words for the comparison of texts, with Hangul cut at spaces (docs/figures/decisions.md). */
    public Analyzer comparing() {
        return comparing;
    }

    /** Whether a token is a run of letters of a script without spaces: Thai, Lao, Khmer, Burmese and others. */
    public static boolean isRunOfLetters(char[] token, int length) {
        int c = length == 0 ? 0 : Character.codePointAt(token, 0, length);
        return c >= 0x0E00
                && (c < 0x0F00
                        || (c >= 0x1000 && c < 0x10A0)
                        || (c >= 0x1780 && c < 0x1800)
                        || (c >= 0x1950 && c < 0x1AB0)
                        || (c >= 0xA9E0 && c < 0xAAE0)
                        || (c >= 0x11700 && c < 0x11750))
                && Character.isDigit(c) == false;
    }

    @Override
    public void close() {
        comparing.close();
        super.close();
    }

    /** This thread's cutter. It finds the same words, faster than a token stream. */
    WordCutter cutter() {
        return cutters.get();
    }

    /** The words of {@link WordCutter} as a token stream, without offsets, positions and types. */
    private static final class StandardWordTokenizer extends Tokenizer {

        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private final WordCutter words;

        StandardWordTokenizer(boolean hangulIsWords) {
            words = new WordCutter(hangulIsWords);
        }

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
