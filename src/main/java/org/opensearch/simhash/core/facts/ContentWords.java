/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.facts;

import java.io.IOException;
import java.io.StringWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.core.fingerprint.LanguageCode;

/**
 * The words of a short text that say something, as an analyzer: its other words are function words of its language. A text of nothing but
 * function words keeps them all. One object for each language, so that the object tells the language. Thread-safe.
 */
public final class ContentWords extends Analyzer {

    /** The name in recipes; behind it and one more underscore the language. */
    public static final String NAME = "content_words";

    /** Part of the scheme: another list makes other words. */
    public static final String VERSION = "1";

    /** The language is that whose lists know most of the words. */
    private static final ContentWords UNDECIDED = new ContentWords(null);

    private static final ContentWords NONE = new ContentWords(FunctionWords.NONE);

    private static final Map<String, ContentWords> BY_LANGUAGE = new TreeMap<>(FunctionWords.LANGUAGES.stream()
            .collect(Collectors.toMap(language -> language, one -> new ContentWords(FunctionWords.of(one)))));

    private final FunctionWords lists;

    private ContentWords(FunctionWords lists) {
        this.lists = lists;
    }

    /** Analyzers of a recipe, by language. */
    public static Map<String, Object> names() {
        return FunctionWords.LANGUAGES.stream()
                .collect(Collectors.toMap(language -> language, language -> NAME + "_" + language));
    }

    /** The analyzer of a name; null if it is none of these. */
    public static ContentWords named(String name) {
        return name.equals(NAME)
                ? UNDECIDED
                : name.startsWith(NAME + "_") ? BY_LANGUAGE.get(name.substring(NAME.length() + 1)) : null;
    }

    /**
     * For a text in a language.
     *
     * @param language any code; null if it is unknown
     */
    public static ContentWords of(String language) {
        return language == null
                ? UNDECIDED
                : BY_LANGUAGE.getOrDefault(
                        LanguageCode.of(language).map(LanguageCode::language).orElse(""), NONE);
    }

    /** For two texts, in whatever order: an unknown language is that of the other; two languages have no lists in common. */
    public static ContentWords of(String a, String b) {
        ContentWords ofA = of(a == null ? b : a);
        return ofA == of(b == null ? a : b) ? ofA : NONE;
    }

    /** All words of some texts, function words too, by the same lists. */
    public List<List<Word>> words(String... texts) {
        FunctionWords by = lists == null ? FunctionWords.guess(texts) : lists;
        return List.of(texts).stream().map(by::words).toList();
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
            List<Word> all = words(text.toString()).getFirst();
            List<Word> saying = all.stream().filter(Word::saysSomething).toList();
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
    }
}
