/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharFilter;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.util.IOSupplier;
import org.opensearch.index.analysis.CharFilterFactory;
import org.opensearch.index.analysis.TokenFilterFactory;
import org.opensearch.index.analysis.TokenizerFactory;
import org.opensearch.simhash.core.text.UnreadableTextException;

/**
 * A custom analyzer whose failures concern only the text: they become an {@link IllegalArgumentException} that names
 * the option. A replacement may name a missing group, and a regular expression may overflow the stack on a long text,
 * which would end the node. The output of each part is counted; too much of it makes the text fail, too.
 */
final class InlineAnalyzer extends Analyzer {

    private final String option;
    private final Part<TokenizerFactory> tokenizer;
    private final List<Part<CharFilterFactory>> charFilters;
    private final List<Part<TokenFilterFactory>> filters;

    /**
     * A part of the analyzer.
     *
     * @param replacement most characters made of one by a part that buffers its whole output; 0 for other parts
     */
    record Part<T>(String name, int replacement, T factory) {}

    InlineAnalyzer(
            String option,
            Part<TokenizerFactory> tokenizer,
            List<Part<CharFilterFactory>> charFilters,
            List<Part<TokenFilterFactory>> filters) {
        this.option = option;
        this.tokenizer = tokenizer;
        this.charFilters = charFilters;
        this.filters = filters;
    }

    @Override
    protected Reader initReader(String fieldName, Reader text) {
        TextBudget budget = new TextBudget(option);
        Reader reader = new BoundedReader(text, budget, (characters, all) -> budget.read(characters));
        for (Part<CharFilterFactory> part : charFilters) {
            if (part.replacement() > 1) {
                reader = new BoundedReader(
                        reader, budget, (characters, all) -> budget.replaced(part.name(), part.replacement(), all));
            }
            reader = new BoundedReader(
                    part.factory().create(reader), budget, (characters, all) -> budget.made(part.name(), all));
        }
        return reader;
    }

    @Override
    protected TokenStreamComponents createComponents(String fieldName) {
        Tokenizer source = tokenizer.factory().create();
        TextBudget[] budget = {new TextBudget(option)};
        TokenStream tokens = new BoundedTokens(source, tokenizer.name(), () -> budget[0]);
        for (Part<TokenFilterFactory> part : filters) {
            tokens = new BoundedTokens(part.factory().create(tokens), part.name(), () -> budget[0]);
        }
        return new TokenStreamComponents(
                reader -> {
                    source.setReader(reader);
                    budget[0] = ((BoundedReader) reader).budget();
                },
                new Guarded(tokens));
    }

    /** The outermost filter: all other parts run inside its calls. */
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
            } catch (UnreadableTextException e) {
                throw e;
            } catch (RuntimeException e) {
                throw failure(e.toString(), e);
            } catch (StackOverflowError e) {
                // Without the cause, whose trace repeats one frame a thousand times.
                throw failure("a regular expression, or the like, nests too deep", null);
            }
        }

        private IllegalArgumentException failure(String reason, RuntimeException cause) {
            return new UnreadableTextException("[" + option + "] must be able to read the text, got: " + reason, cause);
        }
    }

    /** Counts the characters that come out of a part of an analyzer. Offsets stay. */
    private static final class BoundedReader extends CharFilter {

        /** Receives the number of new characters, and of all before. */
        interface Count {
            void add(int characters, long all);
        }

        private final TextBudget budget;
        private final Count count;
        private long all;

        BoundedReader(Reader input, TextBudget budget, Count count) {
            super(input);
            this.budget = budget;
            this.count = count;
        }

        TextBudget budget() {
            return budget;
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            int characters = input.read(buffer, offset, length);
            if (characters > 0) {
                all += characters;
                count.add(characters, all);
            }
            return characters;
        }

        @Override
        protected int correct(int offset) {
            return offset;
        }
    }

    /** Counts the characters of the tokens that come out of a part of an analyzer, plus one per token. */
    private static final class BoundedTokens extends TokenFilter {

        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private final String part;
        private final Supplier<TextBudget> budget;
        private long all;

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

    /**
     * Counts what the parts of an analyzer make of one text, as it comes out: no document may end the node. Parts multiply characters: a
     * replacement may be longer than its match, a token has many n-grams. One thread.
     */
    private static final class TextBudget {

        /** Characters allowed for the shortest text. */
        static final int SPARE = 100_000;

        /** Most characters of a token. */
        private static final int TOKEN = 1_000_000;

        /** Most characters that a part makes of each one of the text. */
        private static final int GROWTH = 100;

        /** Most characters that replacements of a regular expression may make of a text at worst. */
        private static final int REPLACED = 64_000_000;

        private final String option;
        private long read;

        TextBudget(String option) {
            this.option = option;
        }

        /** Counts characters of the text itself. */
        void read(int characters) {
            read += characters;
        }

        /** Counts characters made by a part. */
        void made(String part, long all) {
            if (all > (long) GROWTH * read + SPARE) {
                throw refusal(
                        "make more than " + GROWTH + " characters of each one of the text, as [" + part + "] does");
            }
        }

        void token(String part, int length) {
            if (length > TOKEN) {
                throw refusal("make tokens of more than " + TOKEN + " characters, as [" + part + "] does");
            }
        }

        /**
         * Counts the input of a replacing part, which buffers its whole output.
         *
         * @param replacement most characters made of one
         */
        void replaced(String part, int replacement, long all) {
            if (all * replacement > REPLACED) {
                throw refusal("replace by more than " + REPLACED + " characters at worst, as [" + part + "] does");
            }
        }

        private UnreadableTextException refusal(String what) {
            return new UnreadableTextException("[" + option + "] must not " + what, null);
        }
    }
}
