/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** The words of {@link WordCutter} as a token stream, without offsets, positions and types. */
final class StandardWordTokenizer extends Tokenizer {

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
