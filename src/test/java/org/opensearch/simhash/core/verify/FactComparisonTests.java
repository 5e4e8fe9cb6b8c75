/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.simhash.core.facts.ContentWords;

/** Which short texts say the same. */
class FactComparisonTests {

    /** @param language null if it is unknown */
    private static Verdict compare(String language, double minSimilarity, String a, String b) {
        return comparison(language, minSimilarity, a).compare(b, bytes -> {}, () -> {});
    }

    private static TextComparison comparison(String language, double minSimilarity, String text) {
        Verification verification = new Verification("text", Measure.FACTS, 3, minSimilarity, null);
        return new TextComparison(
                verification, ContentWords.of(language), TokenWeights.EQUAL, text, bytes -> {}, () -> {});
    }

    private static List<String[]> pairs() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                FactComparisonTests.class.getResourceAsStream("facts.tsv"), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .map(line ->
                            Normalizer.normalize(line, Normalizer.Form.NFKC).split("\t", -1))
                    .toList();
        }
    }

    /** Columns: language, kind, whether they say the same, one text, the other. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testFactsOfFiveLanguagesAreToldApart(boolean isLanguageKnown) throws IOException {
        Map<String, int[]> found = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        for (String[] pair : pairs()) {
            String language = isLanguageKnown ? pair[0] : null;
            boolean isSame = compare(language, 1, pair[3], pair[4]).isSimilar();
            assertEquals(isSame, compare(language, 1, pair[4], pair[3]).isSimilar(), "symmetric");
            int[] count = found.computeIfAbsent(pair[2], any -> new int[2]);
            count[0] += isSame ? 1 : 0;
            count[1]++;
            if (isSame != pair[2].equals("same")) {
                wrong.add(String.join(" ", pair));
            }
        }
        assertEquals(150, found.get("same")[1]);
        assertEquals(150, found.get("different")[1]);
        assertTrue(found.get("same")[0] >= (isLanguageKnown ? 147 : 143), wrong::toString);
        assertEquals(0, found.get("different")[0], wrong::toString);
    }

    /** One row a rule and language. */
    @ParameterizedTest
    @CsvSource({
        "en, The keys are in a drawer, Keys in the drawer, true",
        "en, He isn't in Rome, He is not in Rome, true",
        "en, The light is on, The light is off, false",
        "en, He asks William, He asks Williams, false",
        "en, The US president, THE US PRESIDENT, true",
        "en, His dog and his cat, His dog and her cat, false",
        "en, Rooms 3 4, Rooms 4 3, false",
        "en, The big dog bites cats, Cats bite the big dog, false",
        "en, The rent is $1'200, The rent is $1200, true",
        "en, It costs 1000, It costs 1000.5, false",
        "de, Er wohnt im Haus, Er wohnt in dem Haus, true",
        "de, Er mag rote Äpfel, Er mag die roten Äpfel, true",
        "de, Er wohnt in Bonn, Er wohnte in Bonn, false",
        "de, Luise wohnt in Bonn, Luis wohnt in Bonn, false",
        "de, Er fragt Simone, Er fragt Simon, false",
        "de, Er braucht eine gute Karte, Er braucht gute Karten, true",
        "de, Er heißt Groß, ER HEISST GROSS, true",
        "de, Heute hat Anna Geburtstag, Anna hat heute Geburtstag, true",
        "fr, L'utilisateur aime le thé, Utilisateur aime thé, true",
        "fr, Il va à Rome, Il vient de Rome, false",
        "es, Vive al lado del mar, Vive a el lado de el mar, true",
        "es, Ella habla, Ella habló, false",
        "es, Pan para Juan, Pan para juanes, false",
        "es, Ana compra leche Luis vende queso Juan, Ana vende juanes compra queso leche Luis, false",
        "it, Il libro è sul tavolo, I libri sono sui tavoli, true",
        "it, Abita a Roma, Non abita a Roma, false",
        "pt, Mora no centro da cidade, Mora em o centro de a cidade, true",
        "pt, Ele gosta de chá, Ele não gosta de chá, false",
        "nl, De gebruiker houdt van thee, Gebruiker houdt van thee, true",
        "nl, Hij woont in Gent, Hij woonde in Gent, false",
        "ru, Большая кошка на диване, Большие кошки на диване, true",
        "ru, Он живёт в Москве, Он не живёт в Москве, false",
        "zh, 用户喜欢深色的模式, 用户喜欢深色模式, true",
        "zh, 用户喝茶, 用户不喝茶, false",
        "ja, 猫は犬が好き, 猫犬が好き, true",
        "ja, 猫が犬を見た, 犬が猫を見た, false",
        "sv, Han bor i Lund, Han bor Lund, false"
    })
    void testRulesOfEachLanguage(String language, String a, String b, boolean isSame) {
        assertEquals(
                isSame,
                compare(language, 1, a, b).isSimilar(),
                () -> compare(language, 1, a, b).reason());
        assertEquals(isSame, compare(language, 1, b, a).isSimilar());
    }

    @Test
    void testOneTextAloneMayHaveMoreWordsBelowOne() {
        assertEquals(
                0.75,
                compare("en", 0.7, "the user likes tea", "the user likes green tea")
                        .similarity());
        assertEquals(
                Verdict.Outcome.FACTS_DIFFER,
                compare("en", 0.8, "user likes tea", "user likes green tea").outcome());
        for (String other : List.of(
                "user likes 2 teas", "user does not like tea", "user likes Darjeeling tea", "user drinks tea")) {
            assertEquals(0, compare("en", 0.1, "user likes tea", other).similarity(), other);
        }
    }

    @Test
    void testANounAfterAnArticleIsNoName() {
        String fact = "Der Nutzer mag Tee";
        assertEquals(
                0.75,
                compare("de", 0.5, fact, "Der Nutzer mag den Tee und das Brot").similarity());
        assertEquals(
                0.6,
                compare("de", 0.5, fact, "Der Nutzer mag Tee und das helle Brot")
                        .similarity());
        assertEquals(0, compare("de", 0.5, fact, "Der Nutzer mag Tee und Luise").similarity());
    }

    @Test
    void testTheLanguageOfOneTextAloneDecidesNothing() {
        assertSame(ContentWords.of(null), ContentWords.of("de", null));
        assertSame(ContentWords.of(null), ContentWords.of(null, "sv"));
        assertSame(ContentWords.of("de"), ContentWords.of("de_AT", "deu"));
        assertSame(ContentWords.of("sv"), ContentWords.of("de", "en"));
    }

    @Test
    void testEvidenceNamesWhatDiffers() {
        assertEquals(
                Map.of("words", List.of(List.of("dark"), List.of("light"))),
                compare("en", 1, "User likes dark mode", "User likes the light mode")
                        .differences());
        assertEquals(
                Map.of("number", List.of(List.of("3"), List.of("4"))),
                compare("en", 1, "He has 3 cats", "He has 4 cats").differences());
        assertEquals(
                Map.of("negation", List.of(List.of(), List.of("never"))),
                compare("en", 1, "He locks it", "He never locks it").differences());
        assertEquals(
                Map.of("order", List.of(List.of("anna"), List.of("ben"))),
                compare("en", 1, "Anna asks Ben", "Ben asks Anna").differences());
        assertEquals(
                Map.of("words", List.of(List.of("the", "is"), List.of())),
                compare("en", 1, "The door is open", "door open").differences());
        assertEquals(Map.of(), Verdict.EQUAL.differences());
    }

    @Test
    void testTextsOfFunctionWordsAloneAreComparedByThem() {
        assertEquals(true, compare("en", 1, "It is on", "It's on").isSimilar());
        assertEquals(false, compare("en", 1, "It is on", "It is by").isSimilar());
        assertEquals(false, compare("en", 1, "!!!", "???").isSimilar());
        assertEquals(true, compare("en", 1, " !!", "!!").isSimilar());
    }

    @Test
    void testVerdictsAreSymmetric() {
        Random random = new Random(7);
        List<String> words = List.of(
                "Anna", "asks", "Ben", ",", "and", "from", "to", "in", "3", "4", "not", "red", "tea", "红", "绿", "her");
        for (int i = 0; i < 20_000; i++) {
            List<String> some = new ArrayList<>();
            for (int word = random.nextInt(8); word >= 0; word--) {
                some.add(words.get(random.nextInt(words.size())));
            }
            String a = String.join(" ", some);
            Collections.shuffle(some, random);
            if (random.nextInt(4) == 0) {
                some.removeLast();
            }
            String b = String.join(" ", some);
            Verdict verdict = compare("en", 0.5, a, b);
            Verdict reverse = compare("en", 0.5, b, a);
            assertEquals(verdict.outcome(), reverse.outcome(), () -> a + " | " + b);
            assertEquals(verdict.similarity(), reverse.similarity(), () -> a + " | " + b);
        }
    }

    @Test
    void testTextsOfOneWordOrOfApostrophesNeedNoDeepStack() {
        for (String part : List.of("a'", "a ", "a.", "1,", "l'")) {
            String text = part.repeat(30_000);
            assertTrue(compare("fr", 1, text + "x", text + "X").isSimilar(), part);
            assertEquals(
                    1,
                    ContentWords.of(null)
                            .words(new ContentWords.Line(text.repeat(10)))
                            .size());
        }
    }

    /** A text keeps its words by the last lists only. */
    @Test
    void testATextIsComparedWithOthersOfManyLanguages() {
        List<String> texts = List.of(
                "Anna likes the dark mode",
                "Anna mag den dunklen Modus",
                "Anna aime bien le mode sombre",
                "A Anna le gusta el modo oscuro",
                "Anna houdt van de donkere modus");
        for (String text : texts) {
            TextComparison kept = comparison(null, 0, text);
            for (String other : List.of(texts.get(0), texts.get(1), texts.get(2), texts.get(0), texts.get(3), text)) {
                assertEquals(compare(null, 0, text, other), kept.compare(other, bytes -> {}, () -> {}), other);
            }
        }
    }

    /** A quotation mark is of no word, and sends the next one to the pattern. */
    @Test
    void testPlainWordsAreCutAsThePatternCutsThem() {
        for (String text :
                List.of("Anna can find US keys, has 2", "Der Nutzer mag: alte Tische", "a C les chevaux ou IT")) {
            String quoted = "\"" + text.replace(" ", "\" \"") + "\"";
            for (String language : List.of("de", "en", "fr", "sv")) {
                ContentWords words = ContentWords.of(language);
                assertEquals(
                        words.words(new ContentWords.Line(text)), words.words(new ContentWords.Line(quoted)), text);
            }
        }
    }

    @Test
    void testLongTextsAreNoFacts() {
        char[] letters = new char[70_000];
        Arrays.fill(letters, 'x');
        assertEquals(
                Verdict.Outcome.TOO_LARGE,
                compare("en", 1, new String(letters), "x").outcome());
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            words.add("w" + Integer.toString(i, 26).replaceAll("[0-9]", "z"));
        }
        String text = String.join(" ", words);
        Collections.shuffle(words, new Random(1));
        assertEquals(
                Set.of("order"),
                compare("en", 1, text, String.join(" ", words)).differences().keySet());
    }
}
