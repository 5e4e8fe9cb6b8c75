/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.text.TextNormalizer;

/** From a text to its tokens. Immutable. */
record TextAnalysis(HtmlExtraction html, Boilerplate strip) {

    /** UTF-16 copies of a text: extracted, normalised, searched for symbols. */
    private static final int BYTES_PER_CHARACTER = 6;
    /** Shorter texts are not accounted: the document is as large, and it would take 3 % of the time. */
    private static final int UNACCOUNTED_CHARACTERS = 1 << 14;

    /**
     * The text as analysis gets it.
     *
     * @param memory accounts for the bytes; the caller gives back those of the result
     */
    String prepare(String text, LongConsumer memory) {
        memory.accept((long) BYTES_PER_CHARACTER * text.length());
        return prepared(html.apply(text, memory), memory);
    }

    /** The same of a whole page, with what {@code html: main} leaves out; see {@link HtmlExtraction#page}. */
    String page(String text, boolean withLinks, LongConsumer memory) {
        memory.accept((long) BYTES_PER_CHARACTER * text.length());
        return prepared(html == HtmlExtraction.NONE ? text : HtmlExtraction.page(text, withLinks, memory), memory);
    }

    private String prepared(String extracted, LongConsumer memory) {
        return strip.strip(normalize(EncodedRuns.replace(extracted, hash -> {}), memory), memory);
    }

    /**
     * Sends the tokens of a text to the shingles, and ends the text there.
     *
     * @param value the text, with markup
     */
    void analyze(String value, Analyzer analyzer, Shingles shingles, LongConsumer memory) {
        if (value.length() > UNACCOUNTED_CHARACTERS) {
            int ofWords = analyzer instanceof ContentWords ? ContentWords.BYTES_PER_CHARACTER : 0;
            memory.accept((long) (BYTES_PER_CHARACTER + ofWords) * value.length());
        }
        String text = html.apply(value, memory);
        WordCutter words = analyzer instanceof StandardWordAnalyzer standard ? standard.cutter() : null;
        boolean isCutAsItIs = words != null && strip.isEmpty();
        boolean isSeen = isCutAsItIs && words.look(text);
        if (isSeen == false || words.mayHaveRuns()) {
            String replaced = EncodedRuns.replace(text, shingles.digest()::encoded);
            if (replaced.equals(text) == false) {
                text = replaced;
                isSeen = isCutAsItIs && words.look(text);
            }
        }
        boolean isNormalized = isSeen && words.beginNormalized();
        if (isNormalized == false) {
            text = strip.strip(normalize(text, memory), memory);
            if (words != null) {
                words.begin(new StringReader(text));
            }
        }
        try {
            int tokens = words != null
                    ? cut(words, shingles)
                    : hasWords(text) ? analyze(text, analyzer, shingles) : shingles.endText();
            if (tokens == 0 || analyzer instanceof ContentWords) { // whose tokens are not all words
                shingles.digest().characters(isNormalized ? normalize(text, memory) : text);
            } else if (isNormalized) {
                words.symbols(shingles.digest()::symbol);
            } else {
                char[] characters = text.toCharArray();
                Symbols.find(characters, characters.length, shingles.digest()::symbol);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String normalize(String text, LongConsumer memory) {
        return TextNormalizer.normalize(text, grown -> memory.accept(BYTES_PER_CHARACTER * grown));
    }

    /** Analyzers such as {@code whitespace} and {@code keyword} make tokens of a line of hyphens, too. */
    private static boolean hasWords(String text) {
        return text.codePoints().anyMatch(c -> switch (Character.getType(c)) {
            case Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.CONTROL,
                    Character.FORMAT,
                    Character.CONNECTOR_PUNCTUATION,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION,
                    Character.MATH_SYMBOL,
                    Character.CURRENCY_SYMBOL,
                    Character.MODIFIER_SYMBOL -> false;
            default -> true;
        });
    }

    private static int analyze(String text, Analyzer analyzer, Shingles shingles) throws IOException {
        try (TokenStream tokens = analyzer.tokenStream("simhash", text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                shingles.token(term.buffer(), 0, term.length());
            }
            tokens.end();
        }
        return shingles.endText();
    }

    /** Like {@link #analyze}, without a token stream, which takes a third more time. Returns the number of words. */
    private static int cut(WordCutter words, Shingles shingles) throws IOException {
        try (words) {
            words.forEach(shingles);
        }
        return shingles.endText();
    }
}
