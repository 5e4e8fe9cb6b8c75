/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** Counts the characters of the tokens that come out of a part of an analyzer, plus one per token. */
final class BoundedTokens extends TokenFilter {

    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final String part;
    private final Supplier<TextBudget> budget;
    private long all;

    /**
     * @param part for errors
     * @param budget of the current text
     */
    BoundedTokens(TokenStream input, String part, Supplier<TextBudget> budget) {
        super(input);
        this.part = part;
        this.budget = budget;
    }

    @Override
    public void reset() throws IOException {
        super.reset();
        all = 0;
    }

    @Override
    public boolean incrementToken() throws IOException {
        if (input.incrementToken() == false) {
            return false;
        }
        all += term.length() + 1L;
        budget.get().token(part, term.length());
        budget.get().made(part, all);
        return true;
    }
}
