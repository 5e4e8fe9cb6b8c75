/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.test.OpenSearchTestCase;

/** Analyzers by name, by definition and by language. */
public class NodeAnalyzersTests extends OpenSearchTestCase {

    public void testAnalyzersOfTheNodeByName() throws IOException {
        assertEquals(List.of("the", "foxes"), tokens(fallback("standard"), "The Foxes"));
        assertEquals(List.of("fox"), tokens(fallback("english"), "The Foxes"));
        assertEquals(List.of("The", "Foxes"), tokens(fallback("whitespace"), "The Foxes"));
    }

    public void testSmartcnNeedsNoPlugin() throws IOException {
        assertNull(AnalysisModules.registry().getAnalyzer("smartcn"));
        assertEquals(List.of("我", "购买", "了", "道具", "和", "服装"), tokens(fallback("smartcn"), "我购买了道具和服装。"));
    }

    public void testInlineAnalyzersAsInTheAnalyzeApi() throws IOException {
        Map<String, Object> stop = Map.of("type", "stop", "stopwords", List.of("the"));
        assertEquals(
                List.of("quick", "fox"),
                tokens(
                        fallback(Map.of(
                                "tokenizer",
                                "standard",
                                "filter",
                                List.of("lowercase", stop),
                                "char_filter",
                                List.of())),
                        "The quick FOX"));
        assertEquals(
                List.of("a", "b"),
                tokens(
                        fallback(Map.of(
                                "tokenizer",
                                Map.of("type", "pattern", "pattern", ","),
                                "char_filter",
                                List.of("html_strip", Map.of("type", "mapping", "mappings", List.of("x=>b"))))),
                        "<i>a</i>,x"));
        assertEquals(
                "one filter needs no list",
                List.of("the"),
                tokens(fallback(Map.of("tokenizer", "keyword", "filter", "lowercase")), "THE"));
    }

    public void testWrongAnalyzersAreNamedWithTheOptionTheRuleAndTheValue() {
        assertRefused("[analyzer] must be an analyzer that node [node_t0] knows, got: klingon", "klingon");
        assertRefused("[analyzer] must be the name of an analyzer or an object with a tokenizer, got: 7", 7);
        assertRefused(
                "[analyzer] may have [tokenizer], [filter] and [char_filter], got: [filters, type]",
                Map.of("tokenizer", "standard", "filters", List.of(), "type", "custom"));
        assertRefused(
                "[analyzer] must have a [tokenizer], got: {filter=[lowercase]}",
                Map.of("filter", List.of("lowercase")));
        assertRefused(
                "[analyzer] cannot be built on node [node_t0]: failed to find global tokenizer under [standart]",
                Map.of("tokenizer", "standart"));
        assertRefused(
                "[analyzer] cannot be built on node [node_t0]: failed to find global filter under [lowercas]",
                Map.of("tokenizer", "standard", "filter", List.of("lowercas")));
        assertRefused(
                "[analyzer] cannot be built on node [node_t0]: failed to find global char_filter under [strip]",
                Map.of("tokenizer", "standard", "char_filter", List.of("strip")));
        assertRefused(
                "[analyzer] parts must be names or objects with a [type], got: 7",
                Map.of("tokenizer", "standard", "filter", List.of(7)));
        assertRefused(
                "[analyzer] parts must be names or objects with a [type], got: null",
                Map.of("tokenizer", "standard", "filter", Arrays.asList("lowercase", null)));
        assertRefused(
                "[analyzer] cannot be built on node [node_t0]:"
                        + " Missing [type] setting for anonymous filter: {\"stopwords\":[\"the\"]}",
                Map.of("tokenizer", "standard", "filter", List.of(Map.of("stopwords", List.of("the")))));
    }

    /** Each token goes through all of them. */
    public void testAnAnalyzerHasAHundredFilters() {
        for (String kind : List.of("filter", "char_filter")) {
            assertRefused(
                    "[analyzer] must have at most 100 filters of a kind, got: 101",
                    Map.of("tokenizer", "standard", kind, Collections.nCopies(101, "lowercase")));
        }
    }

    public void testSettingsThatNoPartCanHaveAreNamed() {
        assertRefused(
                "[analyzer] parts must have settings that are values or lists of these, got: {stopwords=[[the]]}",
                Map.of("tokenizer", "standard", "filter", List.of(Map.of("stopwords", List.of(List.of("the"))))));
    }

    public void testWhatAPartThrowsAtATextIsThatTextsFailure() throws IOException {
        Map<String, Object> replace = Map.of("type", "pattern_replace", "pattern", "(q)", "replacement", "$5");
        for (String part : List.of("filter", "char_filter")) {
            Analyzer analyzer = fallback(Map.of("tokenizer", "standard", part, List.of(replace)));
            var e = expectThrows(IllegalArgumentException.class, () -> tokens(analyzer, "one q two"));
            assertEquals(
                    "[analyzer] must be able to read the text, got: java.lang.IndexOutOfBoundsException: No group 5",
                    e.getMessage());
            assertEquals(part, List.of("one", "two"), tokens(analyzer, "one two"));
        }
    }

    /** An error that nobody catches on a thread of OpenSearch ends the node. */
    public void testARegularExpressionThatNestsTooDeepIsNoError() throws IOException {
        Map<String, Object> nesting = Map.of("type", "pattern_replace", "pattern", "(a|b)*c", "replacement", "x");
        // The second reads all of a text before it is asked for a token.
        for (Object tokenizer : List.of("standard", Map.of("type", "pattern", "pattern", ","))) {
            Analyzer analyzer = fallback(Map.of("tokenizer", tokenizer, "char_filter", List.of(nesting)));
            var e = expectThrows(IllegalArgumentException.class, () -> tokens(analyzer, "ab".repeat(1_000_000)));
            assertEquals(
                    "[analyzer] must be able to read the text, got: a regular expression, or the like, nests too deep",
                    e.getMessage());
            assertEquals(List.of("x"), tokens(analyzer, "ababc"));
        }
    }

    public void testARegularExpressionThatIsTooDeepToBeBuiltIsRefused() {
        String pattern = "(".repeat(50_000) + "a" + ")".repeat(50_000);
        for (String type : List.of("simple_pattern", "simple_pattern_split")) {
            Object tokenizer = Map.of("type", type, "pattern", pattern);
            var e = expectThrows(IllegalArgumentException.class, () -> fallback(Map.of("tokenizer", tokenizer)));
            assertEquals(
                    "[analyzer] cannot be built on node [node_t0]: a regular expression, or the like, nests too deep",
                    e.getMessage());
        }
    }

    /** Whatever a pipeline makes of a document, the node survives it. */
    public void testWhatComesOutOfAPartIsBounded() throws IOException {
        Map<String, Object> longer = Map.of("type", "mapping", "mappings", List.of("a=>" + "b".repeat(200)));
        Analyzer mapped = fallback(Map.of("tokenizer", "keyword", "char_filter", List.of(longer)));
        assertEquals(1, tokens(mapped, "a".repeat(50)).size());
        assertUnreadable(
                mapped,
                "a".repeat(5_000),
                "[analyzer] must not make more than 100 characters of each one of the text, as [mapping] does");

        Map<String, Object> replace =
                Map.of("type", "pattern_replace", "pattern", ".", "replacement", "b".repeat(10_000));
        assertUnreadable(
                fallback(Map.of("tokenizer", "standard", "char_filter", List.of(replace))),
                "a".repeat(10_000),
                "[analyzer] must not replace by more than 64000000 characters at worst, as [pattern_replace] does");

        Analyzer shingles = fallback(
                Map.of("tokenizer", "whitespace", "filter", Collections.nCopies(12, Map.of("type", "shingle"))));
        assertUnreadable(
                shingles,
                "a b c d e f g h i j k l m n o ".repeat(1000),
                "[analyzer] must not make more than 100 characters of each one of the text, as [shingle] does");

        Analyzer keyword = fallback(Map.of("tokenizer", "keyword", "filter", "lowercase"));
        assertEquals(1, tokens(keyword, "A".repeat(1_000_000)).size());
        assertUnreadable(
                keyword,
                "A".repeat(1_000_001),
                "[analyzer] must not make tokens of more than 1000000 characters, as [keyword] does");
        assertEquals("usable again", List.of("b"), tokens(keyword, "B"));
    }

    /** What nobody gets to see is counted, too: shingles of shingles of which none is long enough. */
    public void testWhatALaterPartThrowsAwayCounts() {
        List<Object> filters = new ArrayList<>(Collections.nCopies(12, Map.of("type", "shingle")));
        filters.add(Map.of("type", "length", "min", 900_000));
        assertUnreadable(
                fallback(Map.of("tokenizer", "whitespace", "filter", filters)),
                "a b c d e f g h i j k l m n o ".repeat(1000),
                "[analyzer] must not make more than 100 characters of each one of the text, as [shingle] does");
    }

    /** An automaton is made when the first text comes. */
    public void testWhatCannotBeMadeForATextIsRefusedBefore() {
        for (Object tokenizer : List.of(
                Map.of("type", "simple_pattern", "pattern", "(a|b)*a(a|b){200}"),
                Map.of("type", "simple_pattern", "pattern", "(a"))) {
            var e = expectThrows(IllegalArgumentException.class, () -> fallback(Map.of("tokenizer", tokenizer)));
            assertTrue(e.getMessage(), e.getMessage().startsWith("[analyzer] cannot be built on node [node_t0]: "));
        }
    }

    private static void assertUnreadable(Analyzer analyzer, String text, String message) {
        var e = expectThrows(UnreadableTextException.class, () -> tokens(analyzer, text));
        assertEquals(message, e.getMessage());
    }

    public void testAWrongAnalyzerOfALanguageIsNamed() {
        Recipe recipe = ProcessorOptions.read(
                "simhash",
                null,
                new HashMap<>(Map.of("field", "text", "language_field", "lang", "analyzers", Map.of("TLH", "klingon"))),
                TextProcessor.OPTIONS.get(SketchKind.SIMHASH),
                RecipeParser::parse);
        IllegalArgumentException e = expectThrows(
                IllegalArgumentException.class,
                () -> AnalysisModules.nodeAnalyzers().of(recipe));
        assertEquals("[analyzers.tlh] must be an analyzer that node [node_t0] knows, got: klingon", e.getMessage());
    }

    public void testLanguagesAnyCaseWithAndWithoutRegion() throws IOException {
        LanguageAnalyzers analyzers = AnalysisModules.nodeAnalyzers()
                .of(ProcessorOptions.read(
                        "simhash",
                        null,
                        new HashMap<>(Map.of(
                                "field",
                                "text",
                                "analyzer",
                                "keyword",
                                "language_field",
                                "lang",
                                "analyzers",
                                Map.of("pt-BR", "whitespace", "pt", "portuguese", "en", "english"))),
                        TextProcessor.OPTIONS.get(SketchKind.SIMHASH),
                        RecipeParser::parse));
        for (String code : List.of("en", "EN", "en-GB", "en_US", " en ", "En-us-posix")) {
            assertEquals(code, List.of("fox"), tokens(analyzers.of(code), "The Foxes"));
        }
        for (String code : List.of("zh", "zh-CN", "zh_TW", "ZH-Hans-CN")) {
            assertEquals(code, List.of("我", "购买", "道具"), tokens(analyzers.of(code), "我购买道具"));
        }
        assertEquals(
                "an entry with a region wins", List.of("Os", "livros"), tokens(analyzers.of("pt_br"), "Os livros"));
        assertEquals("others go by language", List.of("livr"), tokens(analyzers.of("pt-PT"), "Os livros"));
        for (String code : Arrays.asList("tlh", "tlh-AA", "", "-", null, "english")) {
            assertEquals("not known: " + code, List.of("The Foxes"), tokens(analyzers.of(code), "The Foxes"));
        }
    }

    public void testWordsKeepTheirFormUnlessTheUserMapsTheLanguage() throws IOException {
        NodeAnalyzers node = AnalysisModules.nodeAnalyzers();
        LanguageAnalyzers byDefault = node.of(byLanguage(Map.of()));
        for (String code : List.of("de", "en", "ru", "ja", "ko", "th", "ar", "tr")) {
            assertSame(code, byDefault.fallback(), byDefault.of(code));
        }
        LanguageAnalyzers analyzers = node.of(byLanguage(Map.of("de", "german")));
        assertEquals(List.of("hund", "katz"), tokens(analyzers.of("de-AT"), "Der Hund und die Katze"));
        assertNotEquals(
                byLanguage(Map.of("de", "german")).scheme(),
                byLanguage(Map.of()).scheme());
    }

    private static Recipe byLanguage(Map<String, Object> analyzers) {
        return ProcessorOptions.read(
                "simhash",
                null,
                new HashMap<>(Map.of("field", "text", "language_field", "lang", "analyzers", analyzers)),
                TextProcessor.OPTIONS.get(SketchKind.SIMHASH),
                RecipeParser::parse);
    }

    /** As the README says of case. */
    public void testTextsThatAreEqualInCapitalsAreEqualTexts() {
        Map.of("german", List.of("Straße", "STRASSE"), "greek", List.of("οδος", "ΟΔΟΣ"))
                .forEach((language, words) -> {
                    assertEquals(digest("standard", words.get(0)), digest("standard", words.get(1)));
                    assertEquals(digest(language, words.get(0)), digest(language, words.get(1)));
                });
    }

    private static String digest(String analyzer, String text) {
        Recipe recipe = recipe(analyzer);
        return new Fingerprinter(recipe, AnalysisModules.nodeAnalyzers().of(recipe))
                .fingerprint(SourceTexts.of(text), bytes -> {})
                .digest();
    }

    private static Analyzer fallback(Object analyzer) {
        return AnalysisModules.nodeAnalyzers().of(recipe(analyzer)).fallback();
    }

    private static Recipe recipe(Object analyzer) {
        return ProcessorOptions.read(
                "simhash",
                null,
                new HashMap<>(Map.of("field", "text", "analyzer", analyzer)),
                TextProcessor.OPTIONS.get(SketchKind.SIMHASH),
                RecipeParser::parse);
    }

    private static void assertRefused(String message, Object analyzer) {
        IllegalArgumentException e = expectThrows(IllegalArgumentException.class, () -> fallback(analyzer));
        assertEquals(message, e.getMessage());
    }

    static List<String> tokens(Analyzer analyzer, String text) throws IOException {
        List<String> tokens = new ArrayList<>();
        try (TokenStream stream = analyzer.tokenStream("text", text)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                tokens.add(term.toString());
            }
            stream.end();
        }
        return tokens;
    }
}
