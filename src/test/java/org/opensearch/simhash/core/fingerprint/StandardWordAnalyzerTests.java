/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.core.text.Hyphenation;
import org.opensearch.simhash.core.text.LoneCharacters;
import org.opensearch.simhash.core.text.TextNormalizer;

/** The same terms as Lucene's standard analyzer, whatever the text, but for the scripts of {@link ScriptGrams}. */
class StandardWordAnalyzerTests {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final Random random = new Random(seed.value());

    private final Analyzer lucene = new StandardAnalyzer();
    private final Analyzer ours = new StandardWordAnalyzer();
    private final WordCutter words = new WordCutter(false);

    @Test
    void testWords() throws IOException {
        assertEquals(
                List.of("it's", "3.14", "o", "neill's", "a.b", "1", "c", "f_1", "naïve", "don’t"),
                terms(ours, "It's 3.14, O-Neill's a.b 1.c; f_1 (NAÏVE) “don’t”"));
    }

    @Test
    void testEveryCharacterBesideLettersDigitsAndMarks() throws IOException {
        var text = new StringBuilder();
        for (char c = 0; c < Character.MIN_SURROGATE; c++) {
            if (isOfGrams(c)) {
                continue;
            }
            for (String neighbours : new String[] {
                "a%b",
                "1%2",
                "%a",
                "a%",
                "%",
                "a'%",
                "%,1",
                "%%",
                "a_%",
                "é%\u0301",
                "世%界",
                "%あ",
                "カ%ナ",
                "ー%",
                "%a世",
                "世1%"
            }) {
                text.append(neighbours.replace('%', c)).append(' ');
            }
            if (text.length() > 10_000) {
                assertSameTerms(text.toString());
                text.setLength(0);
            }
        }
    }

    @Test
    void testRandomTexts() throws IOException {
        for (int i = 0; i < Rounds.of(1_000, 100_000); i++) {
            assertSameTerms(randomText(random));
        }
    }

    /** As a comparison ends once two texts cannot be similar. */
    @Test
    void testATextThatEndsEarlyLeavesNothingForTheNextOne() throws IOException {
        String text = "สวัสดีชาวโลก one 한국어문장";
        List<String> terms = terms(ours, text);
        for (int wanted = 1; wanted < terms.size(); wanted++) {
            try (TokenStream stream = ours.tokenStream("field", text)) {
                stream.reset();
                for (int i = 0; i < wanted; i++) {
                    assertTrue(stream.incrementToken());
                }
            }
            assertEquals(terms, terms(ours, text));
        }
    }

    @Test
    void testTextsOfSeveralWindows() throws IOException {
        for (int i = 0; i < 20; i++) {
            var text = new StringBuilder();
            while (text.length() < 40_000) {
                if (random.nextInt(10) == 0) {
                    text.append(randomText(random));
                } else {
                    text.append("plain words, ".repeat(1 + random.nextInt(300)));
                }
            }
            assertSameTerms(text.toString());
        }
    }

    @Test
    void testLongWordsAndTextsWithoutSpace() throws IOException {
        for (int length : new int[] {254, 255, 256, 257, 300, 511, 8191, 8192, 8193, 30_000}) {
            assertSameTerms("a" + "x".repeat(length) + " b");
            assertSameTerms("x".repeat(length));
            assertSameTerms("a ".repeat(length));
            assertSameTerms("é ".repeat(length) + "a");
            assertSameTerms("1.".repeat(length) + " b");
            assertSameTerms("世".repeat(length) + " b");
            assertSameTerms(" ".repeat(length) + "b" + " ".repeat(length) + "世 c");
            assertSameTerms("one two 世 ".repeat(length));
        }
    }

    @Test
    void testAnotherTextAfterOneThatWasNotReadToItsEnd() throws IOException {
        for (String text : List.of("one two three", "世界 two three", "one 世界 two")) {
            try (TokenStream tokens = ours.tokenStream("", text)) {
                tokens.reset();
                assertTrue(tokens.incrementToken());
            }
            assertEquals(List.of("four", "五", "six"), terms(ours, "four 五 six"));
        }
    }

    private static String randomText(Random random) {
        String simple = "abcXYZ019.,:;'\"-_!? \n\t\u00a0\u2019\u201cäÖßİıЖжΣσς’";
        String complex =
                "\u0301\u00ad\u200d\u05d0\u05f3\u0905\u0939\u3042\u30ab\u4e16\u1100\ufe0f\u20e3#*©‼\u0640\u06f1\uff21";
        var text = new StringBuilder();
        int length = random.nextInt(400);
        double complexity = random.nextDouble() * random.nextDouble();
        while (text.length() < length) {
            if (random.nextDouble() < complexity) {
                switch (random.nextInt(4)) {
                    case 0 -> text.appendCodePoint(0x1F300 + random.nextInt(0x400));
                    case 1 -> {
                        char any = (char) random.nextInt(Character.MIN_SURROGATE);
                        text.append(isOfGrams(any) ? ' ' : any);
                    }
                    default -> text.append(complex.charAt(random.nextInt(complex.length())));
                }
            } else {
                text.append(random.nextInt(6) == 0 ? ' ' : simple.charAt(random.nextInt(simple.length())));
            }
        }
        return text.toString();
    }

    @Test
    void testATextThatWasReadIsLetGo() throws ReflectiveOperationException, IOException {
        Field input = WordCutter.class.getDeclaredField("input");
        input.setAccessible(true);
        var text = new StringReader("some text that nobody else holds");
        words.begin(text);
        assertTrue(words.next());
        assertSame(text, input.get(words));
        words.close();
        assertNull(input.get(words));
    }

    private static boolean isOfGrams(char c) {
        if (c >= '\uAC00' && c <= '\uD7A3') {
            return true;
        }
        return switch (Character.UnicodeScript.of(c)) {
            case THAI, LAO, KHMER, MYANMAR, TAI_LE, NEW_TAI_LUE, TAI_THAM, TAI_VIET, AHOM -> true;
            default -> false;
        };
    }

    private void assertSameTerms(String text) throws IOException {
        List<String> expected = terms(lucene, text);
        expected.replaceAll(term -> term.replaceAll("'+$", ""));
        assertEquals(expected.stream().map(Folding.LETTERS::of).toList(), cut(text));
        List<String> actual = terms(ours, text);
        if (expected.equals(actual) == false) {
            int i = 0;
            while (i < Math.min(expected.size(), actual.size())
                    && expected.get(i).equals(actual.get(i))) {
                i++;
            }
            fail("term " + i + ": " + expected.subList(i, Math.min(i + 3, expected.size())) + " but "
                    + actual.subList(i, Math.min(i + 3, actual.size())));
        }
    }

    /** What the fingerprinter reads. */
    private List<String> cut(String text) throws IOException {
        words.begin(new StringReader(text));
        List<String> terms = cutBegun();
        boolean isNormalized = words.look(text) && words.beginNormalized();
        char[] inPlace = text.toCharArray();
        boolean isEasy = LoneCharacters.normalize(inPlace, text.length()) >= 0
                && IntStream.range(0, inPlace.length)
                        .noneMatch(i -> Hyphenation.isLineBreak(inPlace[i]) && Hyphenation.mayJoin(inPlace, i));
        assertEquals(text.length() <= 8192 && isEasy, isNormalized);
        if (isNormalized) {
            List<String> ofNormalized = cutBegun();
            words.begin(new StringReader(TextNormalizer.normalize(text)));
            assertEquals(cutBegun(), ofNormalized);
        }
        return terms;
    }

    private List<String> cutBegun() throws IOException {
        List<String> terms = new ArrayList<>();
        Shingles collecting = new Shingles(
                1,
                1,
                HashFunction.XXH3,
                new SpelledFeatures(
                        (hash, character, utf8, offset, length) ->
                                terms.add(new String(utf8, offset, length, StandardCharsets.UTF_8)),
                        bytes -> {}),
                null);
        try (words) {
            words.forEach(collecting);
        }
        assertEquals(terms.size(), collecting.endText());
        return terms;
    }

    private static List<String> terms(Analyzer analyzer, String text) throws IOException {
        List<String> terms = new ArrayList<>();
        try (TokenStream tokens = analyzer.tokenStream("", text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                terms.add(term.toString());
            }
            tokens.end();
        }
        return terms;
    }
}
