/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.cn.smart.SmartChineseAnalyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.tests.util.RamUsageTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.Buffers;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.WeightedFeature;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.language.LanguageDetector;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;

class FingerprinterTests {

    private static final String ENGLISH =
            "A near-duplicate of a document differs from it in a few words; an exact hash sees two strangers.";

    @Test
    void testThePlainAlgorithmIsReproduced() {
        Fingerprinter plain = new RecipeBuilder()
                .hashFunction(HashFunction.FNV1A)
                .weighting(Weighting.TF)
                .shingles(1, 1)
                .minFeatures(1)
                .with(new WhitespaceAnalyzer());
        Random random = new Random(42);
        for (int n = 0; n < 500; n++) {
            String text = randomText(random, 1 + random.nextInt(400), 1 + random.nextInt(300));
            assertEquals(
                    OptionalLong.of(plainSimHash(text)),
                    fingerprint(plain, text).bits(),
                    text);
        }
    }

    @Test
    void testAHeavyFeatureOverflowsNoCounter() {
        Fingerprinter plain = new RecipeBuilder()
                .hashFunction(HashFunction.FNV1A)
                .weighting(Weighting.TF)
                .shingles(1, 1)
                .minFeatures(1)
                .with(new WhitespaceAnalyzer());
        String text = "the ".repeat(300_000) + "cat ".repeat(255) + "sat ".repeat(256) + "on ".repeat(257);
        assertEquals(
                OptionalLong.of(plainSimHash(text)), fingerprint(plain, text).bits());
    }

    /** Every feature votes with its weight, whatever the recipe: the textbook in doubles, ties aside. */
    @Test
    void testWeightsAreThoseOfTheTextbook() {
        Random random = new Random(7);
        for (Weighting weighting : Weighting.values()) {
            for (int maxSize = 1; maxSize <= 3; maxSize++) {
                Fingerprinter fingerprinter = new RecipeBuilder()
                        .weighting(weighting)
                        .shingles(1, maxSize)
                        .minFeatures(1)
                        .with(new WhitespaceAnalyzer());
                for (int n = 0; n < 20; n++) {
                    String text = randomText(random, 1 + random.nextInt(200), 40);
                    assertTextbook(weighting, maxSize, text, fingerprint(fingerprinter, text));
                    // Some words become an ideograph, a rare one, a kana, two of them; a Hangul syllable; Thai.
                    String characters = text.replace("w5j3 ", "\u4E16 ")
                            .replace("wc75 ", "\uD842\uDFB7 ")
                            .replace("wia9 ", "\u306E ")
                            .replace("woda ", "\u306E\u4E16 ")
                            .replace("w ", "\uC640 ")
                            .replace("w0 ", "\u0E20\u0E32 ");
                    assertTextbook(weighting, maxSize, characters, fingerprint(fingerprinter, characters));
                }
            }
        }
    }

    @Test
    void testShinglesAreTheRunsOfTokens() {
        assertEquals(List.of("to", "be", "to be", "or", "be or"), features(1, 2, "to be or"));
        assertEquals(List.of("to be or"), features(3, 3, "to be or"));
        assertEquals(List.of("to be"), features(3, 4, "to be"), "fewer tokens: all of them are one feature");
        assertEquals(List.of(), features(3, 4, " "));
    }

    @Test
    void testShinglesDoNotDependOnTheWindow() {
        Random random = new Random(3);
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            int length = random.nextInt(100) == 0 ? 5000 + random.nextInt(20_000) : 1 + random.nextInt(20);
            tokens.add("\u0436".repeat(length / 2) + i);
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            for (int size = 2; size <= 8 && size <= i + 1; size++) {
                expected.add(String.join(" ", tokens.subList(i + 1 - size, i + 1)));
            }
        }
        // Whitespace analysis cuts tokens at 255 characters: as long as the window and longer only without it.
        List<String> actual = new ArrayList<>();
        Shingles shingles = new Shingles(
                2,
                8,
                HashFunction.XXH3,
                new SpelledFeatures(
                        (hash, character, utf8, offset, length) ->
                                actual.add(new String(utf8, offset, length, StandardCharsets.UTF_8)),
                        FingerprinterTests::unlimited),
                null);
        tokens.forEach(token -> shingles.token(token.toCharArray(), 0, token.length()));
        assertEquals(tokens.size(), shingles.endText());
        assertEquals(expected, actual);
    }

    @Test
    void testEqualTextsHaveEqualDigestsWhateverTheirCaseAndSpace() {
        Fingerprinter standard = new RecipeBuilder().standard();
        String digest = fingerprint(standard, ENGLISH).digest();
        assertTrue(digest.matches("[0-9a-f]{32}"), digest);
        assertEquals(
                digest,
                fingerprint(standard, ENGLISH.toUpperCase(java.util.Locale.ROOT))
                        .digest());
        assertEquals(
                digest, fingerprint(standard, ENGLISH.replace(" ", " \n\t ")).digest());
        assertEquals(
                digest,
                fingerprint(standard, ENGLISH.replace("hash", "ha\u00ADsh\uFEFF"))
                        .digest());
        assertNotEquals(
                digest, fingerprint(standard, ENGLISH.replace("few", "lot of")).digest());
    }

    /** Whichever way they are normalised. */
    @Test
    void testSymbolsThatBecomeTheSameHaveEqualDigests() {
        Fingerprinter standard = new RecipeBuilder().standard();
        String digest = fingerprint(standard, "!? \u20AC").digest();
        assertEquals(digest, fingerprint(standard, "\uFF01\uFF1F\u00A0\u20AC").digest());
        assertEquals(
                digest, fingerprint(standard, "\uFF01\u00AD\uFF1F\u00A0\u20AC").digest());
        assertNotEquals(digest, fingerprint(standard, "!\u00A0\u20AC").digest());
    }

    @Test
    void testShortTextsHaveNoFingerprintAndDifferentDigests() {
        Fingerprinter standard = new RecipeBuilder().standard();
        Set<String> digests = new HashSet<>();
        for (String text :
                List.of("", "?", "!!!", "\uD83D\uDE00", "\uD83D\uDE01", "one", "one two", "\u4E00", "\u4E8C")) {
            Fingerprint fingerprint = fingerprint(standard, text);
            assertEquals(OptionalLong.empty(), fingerprint.bits(), text);
            assertTrue(digests.add(fingerprint.digest()), "the digest of another text: " + text);
        }
        assertEquals(
                fingerprint(standard, "! ! !").digest(),
                fingerprint(standard, "!!!").digest());
    }

    @Test
    void testTextsOfStopWordsOnlyHaveEqualDigestsWhateverTheirCase() {
        Fingerprinter stopping =
                new RecipeBuilder().with(new StopAnalyzer(StopFilter.makeStopSet("to", "be", "or", "not")));
        String digest = fingerprint(stopping, "To be, or not to be").digest();
        assertEquals(digest, fingerprint(stopping, "TO BE, OR NOT\nTO BE").digest());
        assertNotEquals(digest, fingerprint(stopping, "Not to be, or to be").digest());
    }

    @Test
    void testMinFeaturesIsTheBoundary() {
        String fourTokens = "one two three four";
        assertEquals(
                7,
                fingerprint(new RecipeBuilder().minFeatures(7).standard(), fourTokens)
                        .features());
        assertTrue(fingerprint(new RecipeBuilder().minFeatures(7).standard(), fourTokens)
                .bits()
                .isPresent());
        assertTrue(fingerprint(new RecipeBuilder().minFeatures(8).standard(), fourTokens)
                .bits()
                .isEmpty());
    }

    @Test
    void testAFactorOfZeroTakesAFeatureOut() {
        Fingerprinter without = new RecipeBuilder()
                .shingles(1, 1)
                .minFeatures(1)
                .featureWeights(Map.of("menu", 0.0))
                .standard();
        Fingerprinter with = new RecipeBuilder().shingles(1, 1).minFeatures(1).standard();
        assertEquals(
                fingerprint(with, "home about contact").bits(),
                fingerprint(without, "menu home about menu contact").bits());
        assertEquals(3, fingerprint(without, "menu home about menu contact").features());
    }

    @Test
    void testAFactorFindsItsFeatureInAnySpelling() {
        for (String spelling : List.of("L\u2019Avion", "l'avion", "\uFF2C\u2019\uFF21\uFF36\uFF29\uFF2F\uFF2E")) {
            Fingerprinter without = new RecipeBuilder()
                    .shingles(1, 1)
                    .minFeatures(1)
                    .featureWeights(Map.of(spelling, 0.0))
                    .standard();
            assertEquals(1, fingerprint(without, "L\u2019avion attend").features(), spelling);
        }
    }

    @Test
    void testADampedFeatureVotesLess() {
        // A tie of two features would leave every differing bit 0; damping one leaves the other's hash.
        Fingerprinter damped = new RecipeBuilder()
                .shingles(1, 1)
                .minFeatures(1)
                .featureWeights(Map.of("menu", 0.2))
                .standard();
        assertEquals(
                OptionalLong.of(hash("article")),
                fingerprint(damped, "menu article").bits());
    }

    /** Letters, not bytes; of a shingle those of its words; from 127 on a longer word is as heavy. */
    @Test
    void testALongFeatureWeighsMore() {
        Fingerprinter fingerprinter = new RecipeBuilder()
                .weighting(Weighting.LOG_LENGTH)
                .minFeatures(1)
                .with(new WhitespaceAnalyzer());
        String longest = "x".repeat(200);
        List<WeightedFeature> heaviest = fingerprinter.heaviestFeatures(
                SourceTexts.of("\u00FCber \u0436 \u0436 " + longest), 9, FingerprinterTests::unlimited);
        assertEquals(
                List.of(
                        new WeightedFeature(longest, weight(1, 127)),
                        new WeightedFeature("\u0436 " + longest, weight(1, 127)),
                        new WeightedFeature("uber \u0436", weight(1, 5)),
                        new WeightedFeature("uber", weight(1, 4)),
                        new WeightedFeature("\u0436 \u0436", weight(1, 2)),
                        new WeightedFeature("\u0436", weight(2, 1))),
                heaviest);
        // A tie of two words would leave every bit 0 in which they differ.
        assertEquals(
                OptionalLong.of(hash("duplicates")),
                fingerprint(
                                new RecipeBuilder()
                                        .weighting(Weighting.LOG_LENGTH)
                                        .shingles(1, 1)
                                        .minFeatures(1)
                                        .standard(),
                                "duplicates of")
                        .bits());
    }

    private static double weight(int count, int letters) {
        return Weighting.LOG_TF.weight(count) / (double) Weighting.ONE * (1 + StrictMath.log(letters));
    }

    @Test
    void testFieldsVoteByTheirWeights() {
        Fingerprinter fingerprinter =
                new RecipeBuilder().shingles(1, 1).minFeatures(1).standard();
        Fingerprint heavy = fingerprinter.fingerprint(
                new SourceTexts(
                        List.of(new FieldTexts(3, List.of("title")), new FieldTexts(1, List.of("body words"))), null),
                FingerprinterTests::unlimited);
        assertEquals(OptionalLong.of(hash("title")), heavy.bits(), "3 against 1 + 1");
        assertEquals(3, heavy.features());
        Fingerprint repeated = fingerprinter.fingerprint(
                new SourceTexts(
                        List.of(new FieldTexts(1, List.of("same words")), new FieldTexts(1, List.of("same words"))),
                        null),
                FingerprinterTests::unlimited);
        assertEquals(2, repeated.features(), "distinct over all fields");
    }

    @Test
    void testNoShingleSpansTwoValues() {
        Fingerprinter fingerprinter =
                new RecipeBuilder().shingles(2, 2).minFeatures(1).standard();
        Fingerprint values = fingerprinter.fingerprint(
                new SourceTexts(List.of(new FieldTexts(1, List.of("a b", "c d"))), null),
                FingerprinterTests::unlimited);
        assertEquals(2, values.features());
        assertNotEquals(fingerprint(fingerprinter, "a b c d").digest(), values.digest());
    }

    /** A word or two tell no language by themselves. */
    @Test
    void testADetectedLanguageIsThatOfTheWholeDocument() {
        var words =
                List.of("Ein Beinahe-Duplikat unterscheidet sich von einem Dokument nur in wenigen Wörtern".split(" "));
        var analyzers = new LanguageAnalyzers(
                new StandardWordAnalyzer(), Map.of("de", new WhitespaceAnalyzer()), new LanguageDetector());
        var detecting = new Fingerprinter(new RecipeBuilder().build(), analyzers);
        List<FieldTexts> fields = List.of(new FieldTexts(1, words));
        assertEquals(
                detecting.fingerprint(new SourceTexts(fields, "de"), FingerprinterTests::unlimited),
                detecting.fingerprint(new SourceTexts(fields, null), FingerprinterTests::unlimited));
    }

    @Test
    void testMemoryIsAccountedAndGivenBack() {
        long[] taken = {0, 0};
        String text = randomText(new Random(1), 200_000, 150_000);
        new RecipeBuilder().standard().fingerprint(SourceTexts.of(text), bytes -> {
            taken[0] += bytes;
            taken[1] = Math.max(taken[1], taken[0]);
        });
        assertEquals(0, taken[0]);
        assertTrue(taken[1] > 4_000_000, "most bytes at a time: " + taken[1]);
    }

    /** A page of 0.4 MB; its tree takes more than 20 MB. */
    @Test
    void testThePagesTreeIsAccounted() {
        long[] taken = {0, 0};
        new RecipeBuilder()
                .html(HtmlExtraction.MAIN)
                .standard()
                .fingerprint(SourceTexts.of("<p>a".repeat(100_000)), bytes -> {
                    taken[0] += bytes;
                    taken[1] = Math.max(taken[1], taken[0]);
                });
        assertEquals(0, taken[0]);
        assertTrue(taken[1] > 23_000_000, "most bytes at a time: " + taken[1]);
    }

    /** Beside four bytes a character of the text. */
    @Test
    void testAHugeTokenIsAccounted() {
        long[] taken = {0, 0};
        SourceTexts texts = SourceTexts.of("x".repeat(1_000_000));
        LongConsumer memory = bytes -> {
            taken[0] += bytes;
            taken[1] = Math.max(taken[1], taken[0]);
        };
        Fingerprinter keyword = new RecipeBuilder().with(new KeywordAnalyzer());
        keyword.fingerprint(texts, memory);
        assertEquals(0, taken[0]);
        assertTrue(taken[1] >= 7_000_000, "most bytes at a time: " + taken[1]);
        taken[1] = 0;
        keyword.features(texts, (hash, kind, utf8, offset, length) -> {}, memory);
        assertEquals(0, taken[0]);
        assertTrue(taken[1] >= 7_000_000, "most bytes at a time: " + taken[1]);
    }

    /** Short texts whose characters are all normalised take a way of their own, from the text to the words. */
    @Test
    void testTextsAreNormalizedWhateverTheirLengthAndWhereverTheyAreNot() {
        Fingerprinter ours = new RecipeBuilder().minFeatures(1).standard();
        Fingerprinter lucene = new RecipeBuilder().minFeatures(1).with(new StandardAnalyzer());
        for (int length : new int[] {0, 1, 63, 64, 65, 700, 8_191, 8_192, 8_193, 20_000}) {
            String plain = "ab cd ".repeat(length / 6 + 1).substring(0, length);
            for (String changing :
                    List.of("", "\uFB01ne", "e\u0301", "so\u00ADft", "\uD83D\uDE00", "\uD83D", "!", "世")) {
                for (String text : List.of(plain + changing, changing + plain, plain + " " + changing + " " + plain)) {
                    assertEquals(fingerprint(lucene, text), fingerprint(ours, text), text);
                }
            }
        }
        assertEquals(fingerprint(ours, "fine caf\u00E9 soft"), fingerprint(ours, "\uFB01ne cafe\u0301 so\u00ADft"));
    }

    @Test
    void testRefusedMemoryEndsTheWorkAndIsGivenBack() {
        long[] taken = {0};
        String text = randomText(new Random(1), 200_000, 150_000);
        LongConsumer narrow = bytes -> {
            if (taken[0] + bytes > 3_000_000) {
                throw new IllegalStateException("too much");
            }
            taken[0] += bytes;
        };
        Fingerprinter fingerprinter = new RecipeBuilder().standard();
        assertThrows(IllegalStateException.class, () -> fingerprinter.fingerprint(SourceTexts.of(text), narrow));
        assertEquals(0, taken[0]);
    }

    /** With buffers for each, a thousand pipelines would take more than 50 MB for each thread. */
    @Test
    void testRecipesShareTheBuffersOfAThread() {
        var buffers = new Buffers();
        var analyzers = new LanguageAnalyzers(new StandardWordAnalyzer(), Map.of(), null);
        String text = randomText(new Random(1), 3_000, 2_000);
        long before = RamUsageTester.ramUsed(buffers.ofThread());
        for (Weighting weighting : Weighting.values()) {
            Recipe recipe = new RecipeBuilder().weighting(weighting).build();
            Fingerprinter alone = new Fingerprinter(recipe, analyzers);
            Fingerprinter sharing = new Fingerprinter(recipe, analyzers, buffers);
            for (String each : List.of(ENGLISH, text, ENGLISH)) {
                assertEquals(fingerprint(alone, each), fingerprint(sharing, each));
            }
        }
        assertTrue(RamUsageTester.ramUsed(buffers.ofThread()) > before, "they grew with the text");
    }

    @Test
    void testOneTokenAsLongAsTheTextIsOneFeature() {
        Fingerprinter keyword = new RecipeBuilder().minFeatures(1).with(new KeywordAnalyzer());
        assertEquals(1, fingerprint(keyword, "x".repeat(1_000_000)).features());
    }

    /** As filters make them that replace all of a token. */
    @Test
    void testAnEmptyTokenIsAFeatureThatCanBeShown() {
        Analyzer replacing = new Analyzer() {
            @Override
            protected TokenStreamComponents createComponents(String field) {
                Tokenizer tokenizer = new KeywordTokenizer();
                return new TokenStreamComponents(
                        tokenizer, new PatternReplaceFilter(tokenizer, Pattern.compile(".+"), "", true));
            }
        };
        Fingerprinter fingerprinter = new RecipeBuilder().minFeatures(1).with(replacing);
        SourceTexts texts = SourceTexts.of("2026");
        assertEquals(
                1,
                fingerprinter.fingerprint(texts, FingerprinterTests::unlimited).features());
        assertEquals(
                List.of(new WeightedFeature("", 0.9)),
                fingerprinter.heaviestFeatures(texts, 20, FingerprinterTests::unlimited));
    }

    /** Frozen: a change here is a new scheme version. */
    @Test
    void testGoldenFingerprints() {
        Fingerprinter standard = new RecipeBuilder().standard();
        Map<String, String> actual = new TreeMap<>();
        actual.put("en", hex(standard, ENGLISH));
        actual.put(
                "de",
                hex(
                        standard,
                        "Ein Beinahe-Duplikat unterscheidet sich von einem Dokument nur in wenigen W\u00F6rtern."));
        actual.put("fr", hex(standard, "Un quasi-doublon ne diff\u00E8re d\u2019un document que par quelques mots."));
        actual.put("es", hex(standard, "Un casi duplicado se diferencia de un documento en unas pocas palabras."));
        actual.put("ru", hex(standard, RUSSIAN));
        actual.put("ja", hex(standard, JAPANESE));
        actual.put("zh", hex(standard, CHINESE));
        actual.put("zh smartcn", hex(new RecipeBuilder().with(new SmartChineseAnalyzer()), CHINESE));
        actual.put(
                "en murmur3",
                hex(new RecipeBuilder().hashFunction(HashFunction.MURMUR3).standard(), ENGLISH));
        actual.put(
                "en fnv1a",
                hex(
                        new RecipeBuilder()
                                .hashFunction(HashFunction.FNV1A)
                                .weighting(Weighting.TF)
                                .shingles(1, 1)
                                .standard(),
                        ENGLISH));
        actual.put(
                "en log_length",
                hex(new RecipeBuilder().weighting(Weighting.LOG_LENGTH).standard(), ENGLISH));
        actual.put("en digest", fingerprint(standard, ENGLISH).digest());
        assertEquals(GOLDEN, actual);
    }

    private static final Map<String, String> GOLDEN = new TreeMap<>(Map.ofEntries(
            Map.entry("de", "ca70821133c110cc"),
            Map.entry("en", "8d694a6e447354be"),
            Map.entry("en digest", "3a51df02947c53909564ea1c66b09540"),
            Map.entry("en fnv1a", "2eb5f00c9740e88c"),
            Map.entry("en log_length", "8dfb6e7e547376be"),
            Map.entry("en murmur3", "ead11e60c6fd78a0"),
            Map.entry("es", "cfec2081d05cb3cb"),
            Map.entry("fr", "00c6d105dc0c37d6"),
            Map.entry("ja", "b381e6c294ab5b57"),
            Map.entry("ru", "0cd2dbf1e8d4523a"),
            Map.entry("zh", "0c24bd27778dff34"),
            Map.entry("zh smartcn", "3f44b1d755fc3c75")));

    private static final String RUSSIAN =
            "\u041F\u043E\u0447\u0442\u0438 \u0434\u0443\u0431\u043B\u0438\u043A\u0430\u0442 \u043E\u0442\u043B\u0438\u0447\u0430\u0435\u0442\u0441\u044F \u043E\u0442 "
                    + "\u0434\u043E\u043A\u0443\u043C\u0435\u043D\u0442\u0430 \u043D\u0435\u0441\u043A\u043E\u043B\u044C\u043A\u0438\u043C\u0438 \u0441\u043B\u043E\u0432\u0430\u043C\u0438.";

    private static final String JAPANESE =
            "\u307B\u307C\u91CD\u8907\u3059\u308B\u6587\u66F8\u306F\u6570\u8A9E\u3060\u3051\u304C\u7570\u306A\u308B\u3002";

    private static final String CHINESE =
            "\u8FD1\u4F3C\u91CD\u590D\u7684\u6587\u6863\u53EA\u6709\u51E0\u4E2A\u8BCD\u4E0D\u540C\uFF0C\u7CBE\u786E\u7684\u54C8\u5E0C\u5374\u628A\u5B83\u4EEC\u5F53\u4F5C\u964C\u751F\u7684\u6587\u6863\u3002";

    private static String hex(Fingerprinter fingerprinter, String text) {
        return Fingerprint.toHex(fingerprint(fingerprinter, text).bits().orElseThrow());
    }

    private static void unlimited(long bytes) {}

    private static Fingerprint fingerprint(Fingerprinter fingerprinter, String text) {
        return fingerprinter.fingerprint(SourceTexts.of(text), FingerprinterTests::unlimited);
    }

    private static List<String> features(int minSize, int maxSize, String text) {
        List<String> features = new ArrayList<>();
        new RecipeBuilder()
                .shingles(minSize, maxSize)
                .with(new WhitespaceAnalyzer())
                .features(
                        SourceTexts.of(text),
                        (hash, kind, utf8, offset, length) ->
                                features.add(new String(utf8, offset, length, StandardCharsets.UTF_8)),
                        FingerprinterTests::unlimited);
        return features;
    }

    private static String randomText(Random random, int words, int vocabulary) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            int word = (int) (vocabulary * Math.pow(random.nextDouble(), 2));
            text.append('w').append(Integer.toString(word * 7919, 36)).append(' ');
        }
        return text.toString();
    }

    private static List<String> tokens(String text) {
        return Collections.list(new StringTokenizer(text)).stream()
                .map(Object::toString)
                .toList();
    }

    private static long hash(String feature) {
        byte[] utf8 = feature.getBytes(StandardCharsets.UTF_8);
        return HashFunction.XXH3.hash(utf8, 0, utf8.length);
    }

    private static long plainSimHash(String text) {
        int[] counters = new int[64];
        for (String token : tokens(text)) {
            byte[] utf8 = token.getBytes(StandardCharsets.UTF_8);
            long hash = 0xcbf29ce484222325L;
            for (byte b : utf8) {
                hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
            }
            for (int bit = 0; bit < 64; bit++) {
                counters[bit] += ((hash >>> bit) & 1) == 1 ? 1 : -1;
            }
        }
        long fingerprint = 0;
        for (int bit = 0; bit < 64; bit++) {
            fingerprint |= counters[bit] > 0 ? 1L << bit : 0;
        }
        return fingerprint;
    }

    private static void assertTextbook(Weighting weighting, int maxSize, String text, Fingerprint actual) {
        List<String> tokens = tokens(text);
        Map<String, Integer> counts = new HashMap<>();
        for (int size = 1; size <= maxSize; size++) {
            for (int i = 0; i + size <= tokens.size(); i++) {
                counts.merge(String.join(" ", tokens.subList(i, i + size)), 1, Integer::sum);
            }
        }
        assertEquals(counts.size(), actual.features());
        double[] counters = new double[64];
        double total = 0;
        for (Map.Entry<String, Integer> feature : counts.entrySet()) {
            double weight = switch (weighting) {
                case TF -> feature.getValue();
                case LOG_TF -> 1 + Math.log(feature.getValue());
                case LOG_LENGTH -> (1 + Math.log(feature.getValue())) * (1 + Math.log(letters(feature.getKey())));
            };
            if (weighting == Weighting.LOG_TF && maxSize > 1) {
                weight *= kindWeight(feature.getKey());
            }
            total += weight;
            for (int bit = 0; bit < 64; bit++) {
                counters[bit] +=
                        ((HashFunction.XXH3.hash(tokens(feature.getKey())) >>> bit) & 1) == 1 ? weight : -weight;
            }
        }
        for (int bit = 0; bit < 64; bit++) {
            if (Math.abs(counters[bit]) > total / 200) {
                boolean set = ((actual.bits().orElseThrow() >>> bit) & 1) == 1;
                assertEquals(counters[bit] > 0, set, "bit " + bit + " of " + text);
            }
        }
    }

    private static double letters(String feature) {
        return feature.codePoints().filter(c -> c != ' ').count();
    }

    private static double kindWeight(String feature) {
        if (feature.contains(" ")) {
            return 1;
        }
        if (feature.matches("[\u3000-\u9FFF\\x{20000}-\\x{3FFFF}]")) {
            return 0.4;
        }
        return feature.matches("[\\p{IsHangul}\\p{IsThai}\\p{IsLao}\\p{IsKhmer}\\p{IsMyanmar}].*") ? 0.6 : 0.9;
    }

    /** Analyzers are shared by threads; nothing else is. */
    @Test
    void testManyThreadsComputeTheSame() throws Exception {
        Analyzer shared = new SmartChineseAnalyzer();
        Fingerprinter fingerprinter = new RecipeBuilder().with(shared);
        Fingerprint expected = fingerprint(fingerprinter, CHINESE);
        try (var threads = java.util.concurrent.Executors.newFixedThreadPool(4)) {
            List<java.util.concurrent.Future<Fingerprint>> results = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                results.add(threads.submit(() -> fingerprint(fingerprinter, CHINESE)));
            }
            for (var result : results) {
                assertEquals(expected, result.get());
            }
        }
    }

    /** A search makes evidence of it. */
    @ParameterizedTest
    @ValueSource(strings = {"<b>", "& ", "<i></i>", "&<"})
    void testPlacesInHtmlTakeLinearTime(String piece) {
        Fingerprinter recipe = new RecipeBuilder()
                .passages(new PassageLayout(4, 4))
                .html(HtmlExtraction.TEXT)
                .standard();
        SourceTexts texts = SourceTexts.of("<p>one two three four five six</p>" + piece.repeat(1_000_000));
        Words words = recipe.words(texts, FingerprinterTests::unlimited);
        int[] place = assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> recipe.characters(texts, words, List.of(new int[] {1, 4}), FingerprinterTests::unlimited)
                        .getFirst());
        assertEquals("two three four", texts.values().getFirst().substring(place[0], place[1]));
    }
}
