/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.util.IOSupplier;
import org.opensearch.simhash.fingerprint.UnreadableTextException;

/**
 * An analyzer that somebody put together. What its parts throw at a text is that text's failure, an
 * {@link IllegalArgumentException} that names the option: a replacement may name a group that its pattern has not, and a regular
 * expression may nest deeper on a long text than a thread's stack, which left alone ends the whole node.
 */
final class InlineAnalyzer extends AnalyzerWrapper {

    private final String option;
    private final Analyzer analyzer;

    /** @param option for errors */
    InlineAnalyzer(String option, Analyzer analyzer) {
        super(GLOBAL_REUSE_STRATEGY);
        this.option = option;
        this.analyzer = analyzer;
    }

    @Override
    protected Analyzer getWrappedAnalyzer(String fieldName) {
        return analyzer;
    }

    @Override
    protected TokenStreamComponents wrapComponents(String fieldName, TokenStreamComponents components) {
        return new TokenStreamComponents(components.getSource(), new Guarded(components.getTokenStream()));
    }

    /** The last of the filters: the others, the tokenizer and what reads the text work when it asks them to. */
    private final class Guarded extends TokenFilter {

        Guarded(TokenStream tokens) {
            super(tokens);
        }

        /** Some tokenizers read the whole text here. */
        @Override
        public void reset() throws IOException {
            guarded(() -> {
                super.reset();
                return true;
            });
        }

        @Override
        public boolean incrementToken() throws IOException {
            return guarded(input::incrementToken);
        }

        private boolean guarded(IOSupplier<Boolean> step) throws IOException {
            try {
                return step.get();
            } catch (RuntimeException e) {
                throw failure(e.toString(), e);
            } catch (StackOverflowError e) {
                // Without the cause: its trace is a thousand times the same.
                throw failure("a regular expression, or the like, nests too deep", null);
            }
        }

        private IllegalArgumentException failure(String reason, RuntimeException cause) {
            return new UnreadableTextException("[" + option + "] must be able to read the text, got: " + reason, cause);
        }
    }
}
