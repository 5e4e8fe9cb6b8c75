/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.facts;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.core.language.LanguageAnalyzers;

/**
 * The words of a short text that say something, as an analyzer: its other words are function words of its language. A text of nothing but
 * function words keeps them all. One object for each language, so that the object tells the language. Thread-safe.
 */
public final class ContentWords extends Analyzer {

    public static final String NAME = "content_words";

    /** Of a text, cut once. */
    public static final int BYTES_PER_CHARACTER = 40;

    /** Part of the scheme: another list makes other words. */
    public static final String VERSION = "1";

    private static final Map<String, Analyzer> BY_LANGUAGE =
            new TreeMap<>(Stream.of("de", "en", "es", "fr", "it", "ja", "nl", "pt", "ru", "zh")
                    .collect(Collectors.toMap(Function.identity(), one -> new ContentWords(read(one)))));

    private static final ContentWords NONE = new ContentWords(new FunctionWords(List.of()));

    /** The language is that whose lists know most of the words. */
    private static final ContentWords UNDECIDED = new ContentWords(null);

    /** Of a recipe. */
    public static final LanguageAnalyzers ANALYZERS = new LanguageAnalyzers(UNDECIDED, BY_LANGUAGE, null);

    private final FunctionWords lists;

    private ContentWords(FunctionWords lists) {
        this.lists = lists;
    }

    private static FunctionWords read(String language) {
        try (InputStream in = ContentWords.class.getResourceAsStream(language + ".txt")) {
            return new FunctionWords(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For a text in a language, by any code; null if it is unknown. */
    public static ContentWords of(String language) {
        Analyzer listed = ANALYZERS.of(language);
        return language != null && listed == UNDECIDED ? NONE : (ContentWords) listed;
    }

    /** For two texts, in whatever order: two languages have no lists in common, and one alone decides nothing. */
    public static ContentWords of(String a, String b) {
        return a == null || b == null ? UNDECIDED : of(a) == of(b) ? of(a) : NONE;
    }

    /** A text, cut once for many comparisons. Keeps its words twice: without lists, and by the last lists. Thread-safe. */
    public static final class Line {

        /** How often the words are kept. */
        public static final int CUTS = 2;

        private final String text;
        private final AtomicReferenceArray<Cut> cuts = new AtomicReferenceArray<>(CUTS);

        private record Cut(FunctionWords by, List<Word> words) {}

        public Line(String text) {
            this.text = text;
        }

        private List<Word> words(FunctionWords by) {
            int place = by == NONE.lists ? 0 : 1;
            Cut cut = cuts.get(place);
            if (cut == null || cut.by != by) {
                cut = new Cut(by, by.words(text));
                cuts.set(place, cut);
            }
            return cut.words;
        }
    }

    /** All words of some texts, function words too, by the same lists. */
    public List<List<Word>> words(Line... lines) {
        FunctionWords by = lists == null ? guess(lines) : lists;
        return Stream.of(lines).map(line -> line.words(by)).toList();
    }

    /** The lists that know most of the words but names ("Ben" is Dutch, too); none if several know as many. */
    private static FunctionWords guess(Line... lines) {
        List<Word> words = NONE.words(lines).stream()
                .flatMap(List::stream)
                .filter(word -> word.isCapital() == false || word.isFirst())
                .toList();
        ContentWords best = NONE;
        int most = 0;
        for (Analyzer one : BY_LANGUAGE.values()) {
            ContentWords language = (ContentWords) one;
            int known = language.lists.known(words);
            best = known > most ? language : known == most ? NONE : best;
            most = Math.max(most, known);
        }
        return best.lists;
    }

    @Override
    protected TokenStreamComponents createComponents(String fieldName) {
        return new TokenStreamComponents(new Stems());
    }

    private final class Stems extends Tokenizer {

        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private Iterator<Word> words;

        @Override
        public void reset() throws IOException {
            super.reset();
            StringWriter text = new StringWriter();
            input.transferTo(text);
            List<Word> all = words(new Line(text.toString())).getFirst();
            List<Word> saying =
                    all.stream().filter(word -> word.kind().saysSomething()).toList();
            words = (saying.isEmpty() ? all : saying).iterator();
        }

        @Override
        public boolean incrementToken() {
            clearAttributes();
            if (words.hasNext() == false) {
                return false;
            }
            term.setEmpty().append(words.next().stem());
            return true;
        }

        /** Lucene keeps this object for the next text of the thread. */
        @Override
        public void close() throws IOException {
            super.close();
            words = null;
        }
    }
}
