/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.bn.BengaliAnalyzer;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.et.EstonianAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fa.PersianAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishAnalyzer;
import org.apache.lucene.analysis.gl.GalicianAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.opensearch.simhash.core.fingerprint.LanguageCode;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/**
 * The default analyzer of each language, by {@link LanguageCode}. Most are Lucene's with an empty list of stop words:
 * {@code german_all_words} makes the tokens of {@code german} and those of "der" and "und", too.
 */
final class BuiltInLanguages {

    /** Thai by the runs of letters of {@code standard}, which overlap: an edit changes fewer of them than of words. */
    private static final Map<String, String> OTHERS =
            Map.of("ja", "cjk", "ko", "cjk", "th", "standard", "zh", "smartcn");

    /** Without stop words an edit changes a larger share of the features, and fewer near texts are found. */
    private static final Map<String, AllWords> ALL_WORDS = Map.ofEntries(
            entry("ar", new AllWords("arabic", ArabicAnalyzer::new)),
            entry("bg", new AllWords("bulgarian", BulgarianAnalyzer::new)),
            entry("bn", new AllWords("bengali", BengaliAnalyzer::new)),
            entry("ca", new AllWords("catalan", CatalanAnalyzer::new)),
            entry("cs", new AllWords("czech", CzechAnalyzer::new)),
            entry("da", new AllWords("danish", DanishAnalyzer::new)),
            entry("de", new AllWords("german", GermanAnalyzer::new)),
            entry("el", new AllWords("greek", GreekAnalyzer::new)),
            entry("en", new AllWords("english", EnglishAnalyzer::new)),
            entry("es", new AllWords("spanish", SpanishAnalyzer::new)),
            entry("et", new AllWords("estonian", EstonianAnalyzer::new)),
            entry("eu", new AllWords("basque", BasqueAnalyzer::new)),
            entry("fa", new AllWords("persian", PersianAnalyzer::new)),
            entry("fi", new AllWords("finnish", FinnishAnalyzer::new)),
            entry("fr", new AllWords("french", FrenchAnalyzer::new)),
            entry("ga", new AllWords("irish", IrishAnalyzer::new)),
            entry("gl", new AllWords("galician", GalicianAnalyzer::new)),
            entry("hi", new AllWords("hindi", HindiAnalyzer::new)),
            entry("hu", new AllWords("hungarian", HungarianAnalyzer::new)),
            entry("hy", new AllWords("armenian", ArmenianAnalyzer::new)),
            entry("id", new AllWords("indonesian", IndonesianAnalyzer::new)),
            entry("it", new AllWords("italian", ItalianAnalyzer::new)),
            entry("lt", new AllWords("lithuanian", LithuanianAnalyzer::new)),
            entry("lv", new AllWords("latvian", LatvianAnalyzer::new)),
            entry("nl", new AllWords("dutch", DutchAnalyzer::new)),
            entry("no", new AllWords("norwegian", NorwegianAnalyzer::new)),
            entry("pt", new AllWords("portuguese", PortugueseAnalyzer::new)),
            entry("ro", new AllWords("romanian", RomanianAnalyzer::new)),
            entry("ru", new AllWords("russian", RussianAnalyzer::new)),
            entry("sv", new AllWords("swedish", SwedishAnalyzer::new)),
            entry("tr", new AllWords("turkish", TurkishAnalyzer::new)));

    /** An analyzer of Lucene that takes the stop words it leaves out. */
    private record AllWords(String language, Function<CharArraySet, Analyzer> maker) {

        String name() {
            return language + "_all_words";
        }
    }

    /** More than have a code of two letters. Each may have an analyzer of its own. */
    private static final int MOST_ANALYZERS = 200;

    private BuiltInLanguages() {}

    /** A new analyzer that keeps all words, such as {@code german_all_words}; null if the name is not of one. */
    static Analyzer analyzer(String name) {
        for (AllWords one : ALL_WORDS.values()) {
            if (one.name().equals(name)) {
                return one.maker().apply(CharArraySet.EMPTY_SET);
            }
        }
        return null;
    }

    /**
     * The defaults, overridden by the user's entries. Keys are as {@link LanguageCode} writes them.
     *
     * @param entries may be null
     * @throws IllegalArgumentException for an invalid language code or analyzer
     */
    static Map<String, Object> mergedWith(Map<String, Object> entries) {
        Map<String, Object> merged = new HashMap<>(OTHERS);
        ALL_WORDS.forEach((code, analyzer) -> merged.put(code, analyzer.name()));
        if (entries != null) {
            TypedNumber.requireAtMost("[analyzers]", MOST_ANALYZERS, "languages", entries.size());
            Set<String> given = new HashSet<>();
            entries.forEach((code, analyzer) -> {
                String language = canonical(code);
                if (given.add(language) == false) {
                    throw new IllegalArgumentException(
                            "[analyzers] must map a language once, got: " + entries.keySet());
                }
                merged.put(language, requireAnalyzer(code, analyzer));
            });
        }
        return merged;
    }

    private static String canonical(String code) {
        return LanguageCode.of(code)
                .map(LanguageCode::toString)
                .orElseThrow(() -> new IllegalArgumentException(
                        "[analyzers] must map ISO 639 language codes to analyzers, got: " + code));
    }

    private static Object requireAnalyzer(String code, Object analyzer) {
        if (analyzer == null) {
            throw new IllegalArgumentException("[analyzers." + code + "] must name an analyzer, got: null");
        }
        return analyzer;
    }
}
