/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;
import org.opensearch.simhash.core.text.TextNormalizer;

/** Equal digests mean that people see the same text. */
class DigestTests {

    private final Fingerprinter standard = new RecipeBuilder().standard();
    private final List<Fingerprinter> all = List.of(
            standard,
            new RecipeBuilder().hashFunction(HashFunction.FNV1A).with(new StandardAnalyzer()),
            new RecipeBuilder().with(new WhitespaceAnalyzer()));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "C++ developer | C# developer",
                "C++ developer | C developer",
                "3+4 | 3\u22124",
                "3+4 | 3-4",
                "3-4 | 3 4",
                "$5 | \u20AC5",
                "-80 | 80",
                "\u221280 | 80",
                "it is -.5 today | it is .5 today",
                "-$5 | $5",
                "a > b | a < b",
                "2\u00B3 | 23",
                "2\u00B3 | 2",
                "2\u00B3 | 2\u00B2",
                "H\u2082O | H2O",
                "\u00BD cup | 12 cup",
                "\u00BD cup | \u00BC cup",
                "\u00BD cup | cup",
                "10\u207B\u00B3 | 10\u00B3",
                "5 % | 5 \u2030",
                "a&b | a b",
                "me@home | me home",
                "a/b | a b",
                "a/b | a\\b",
                "a*b | a b",
                "#1 | 1",
                "yes \uD83D\uDE00 | yes \uD83D\uDE01",
                "yes \u276E | yes \u2776",
                "step \u2776 | step \u2777",
                "Product\u2122 | Product",
                "20\u00B0 | 20",
                "\u4E16$\u754C\u548C | \u4E16\u754C$\u548C",
                "a$ b c | a b$ c",
                "x \u2212 y | x + y",
                "a ^ b | a b",
                "a \u00A8 b | a \u00B8 b",
                "a \uD834\uDD5E b | a \uD834\uDD57 b",
                "caf\u00E9 noir | cafe noir",
                "\u0451\u043B\u043A\u0430 | \u0435\u043B\u043A\u0430",
                "\u0643\u064E\u062A\u064E\u0628\u064E | \u0643\u062A\u0628",
            })
    void testWhatPeopleSeeTellsTextsApart(String a, String b) {
        for (Fingerprinter fingerprinter : all) {
            assertNotEquals(digest(fingerprinter, a), digest(fingerprinter, b));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\u221280 degrees | -80 degrees",
                "\uFF0D80 degrees | - 80 degrees",
                "1990\u20131995 | 1990-1995",
                "don't say \"no\" | don\u2019t say \u201Cno\u201D",
                "say \u00ABno\u00BB | say 'no'",
                "one, two; three! | One two... THREE?",
                "$ 5 | $5",
                "5% | 5 %",
                "5\u066A | 5%",
                "a + b | a+b",
                "C ++ | c++",
                "\u03BF\u03B4\u03CC\u03C2 | \u039F\u0394\u038C\u03A3",
                "Stra\u00DFe | STRASSE",
                "Stra\u00DFe $5 | STRASSE $5",
                "\u0130stanbul | istanbul",
                "\u0131rmak | IRMAK",
                "\uFF04\uFF15 | $5",
                "well-known | well known",
                "5 \u33A1 | 5 m\u00B2",
                "yes \u2764\uFE0F | yes \u2764",
            })
    void testWritingDoesNot(String a, String b) {
        assertEquals(digest(standard, a), digest(standard, b));
    }

    @Test
    void testEveryLetterAndMarkCountsButForCase() {
        Map<String, String> digests = new HashMap<>();
        Map<String, String> texts = new HashMap<>();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String text = TextNormalizer.normalize("ab" + Character.toString(c) + "cd e");
            boolean isSpelled = text.codePoints().allMatch(each -> each == ' ' || isLetterOrMark(each));
            if (isLetterOrMark(c) == false || isSpelled == false) {
                continue;
            }
            String name = "U+" + Integer.toHexString(c);
            String digest = digest(standard, text);
            String withoutCase = Folding.CASE.of(text);
            // A newer capital of a letter that is in words is no letter of them.
            if (SymbolClass.isOutsideWords(c) == false) {
                assertEquals(digest, digests.computeIfAbsent(withoutCase, unused -> digest), name);
            }
            assertEquals(withoutCase, texts.computeIfAbsent(digest, unused -> withoutCase), name);
        }
        assertTrue(texts.size() > 50_000, texts.size() + " texts");
    }

    @ParameterizedTest
    @CsvSource({
        "\u00E9e, e\u00E9",
        "\u00E9 e, e \u00E9",
        "p\u00EAche p\u00E9ch\u00E9 peche, p\u00E9ch\u00E9 p\u00EAche peche",
        "\u00F8e o, oe \u00F8",
        "\u00E6\u00E9, ae\u00E9",
        "Stra\u00DF\u00E9, Strass\u00E8",
        "\u0643\u064E\u062A\u0628, \u0643\u062A\u064E\u0628",
        "\u0439\u0438, \u0438\u0439",
    })
    void testPlacesOfMarksCount(String a, String b) {
        for (Fingerprinter fingerprinter : all) {
            assertNotEquals(digest(fingerprinter, a), digest(fingerprinter, b));
            assertNotEquals(digest(fingerprinter, List.of(a, b)), digest(fingerprinter, List.of(b, a)));
            assertNotEquals(digest(fingerprinter, "\u4E16 " + a), digest(fingerprinter, "\u4E16 " + b));
        }
        for (String text : List.of(a, b)) {
            assertEquals(digest(standard, text), digest(all.get(1), text));
            assertEquals(digest(standard, text), digest(standard, text.toUpperCase(Locale.ROOT)));
            assertEquals(digest(standard, List.of(text, "x")), digest(all.get(1), List.of(text, "x")));
        }
    }

    /** Pairs that differ in a symbol, sign, digit or superscript; and the same pairs written otherwise. */
    @Test
    void testRandomTexts() {
        Random random = new Random(11);
        int[] symbols = IntStream.rangeClosed(0x21, 0x1FFFF)
                .filter(c -> isSeen(c) && isStable(c))
                .toArray();
        for (int n = 0; n < 20_000; n++) {
            StringBuilder text = new StringBuilder("w ");
            for (int words = random.nextInt(12); words >= 0; words--) {
                if (random.nextInt(3) == 0) {
                    text.appendCodePoint(symbols[random.nextInt(symbols.length)]);
                }
                text.append("ab\u00E9\u4E16\u0436 12".charAt(random.nextInt(8)))
                        .append(random.nextBoolean() ? " " : "");
            }
            String whole = text.toString();
            int at = whole.offsetByCodePoints(0, 1 + random.nextInt(whole.codePointCount(0, whole.length())));
            int symbol = symbols[random.nextInt(symbols.length)];
            int other = symbols[random.nextInt(symbols.length)];
            String with = insert(whole, at, symbol);
            Fingerprinter fingerprinter = all.get(random.nextInt(all.size()));
            assertNotEquals(digest(fingerprinter, whole), digest(fingerprinter, with), with);
            if (symbol != other) {
                assertNotEquals(digest(fingerprinter, insert(whole, at, other)), digest(fingerprinter, with), with);
            }
            assertEquals(digest(standard, with), digest(standard, with.toUpperCase(Locale.ROOT)), with);
            assertEquals(digest(standard, with), digest(standard, with.replace(" ", "  \n")), with);
        }
    }

    /** Short texts take a way of their own, and so do words with complex characters. */
    @Test
    void testSymbolsCountWhateverTheLengthOfTheText() {
        for (int length : List.of(1, 63, 64, 65, 8_190, 8_192, 20_000)) {
            String words = "ab ".repeat(length / 3 + 1);
            for (String changing : List.of("", "e\u0301 ", "\u0E01\u0E02\u0E03\u0E04 ", "\uD83D\uDE00 ")) {
                for (Fingerprinter fingerprinter : all) {
                    String plus = digest(fingerprinter, words + changing + "x + y");
                    assertNotEquals(plus, digest(fingerprinter, words + changing + "x = y"));
                    assertEquals(plus, digest(fingerprinter, words + changing + "x  +\ty"));
                }
            }
        }
    }

    /** A space in a token is none between tokens, nor is the end of a value. */
    @Test
    void testNoTwoSequencesOfTokensAreWrittenAlike() {
        Analyzer keyword = new KeywordAnalyzer();
        Fingerprinter whole = new RecipeBuilder().with(keyword);
        assertNotEquals(digest(whole, List.of("a b", "c")), digest(whole, List.of("a", "b c")));
        assertNotEquals(digest(whole, List.of("a b")), digest(whole, List.of("a", "b")));
        assertNotEquals(
                digest(whole, List.of("a b")), digest(new RecipeBuilder().with(new WhitespaceAnalyzer()), "a b"));
        assertNotEquals(digest(standard, List.of("$a", "b")), digest(standard, List.of("a", "$b")));
        assertNotEquals(digest(standard, List.of("a$", "b")), digest(standard, List.of("a", "$b")));
        assertNotEquals(digest(standard, List.of("a", "")), digest(standard, List.of("a", "?")));
    }

    private static boolean isLetterOrMark(int c) {
        int type = Character.getType(c);
        return Character.isLetter(c)
                || (type >= Character.NON_SPACING_MARK && type <= Character.COMBINING_SPACING_MARK);
    }

    private static boolean isSeen(int c) {
        int type = Character.getType(c);
        return "#%&*@/\\\u2030".indexOf(c) >= 0
                || (type == Character.MATH_SYMBOL && c != 0x2212)
                || type == Character.CURRENCY_SYMBOL
                || type == Character.OTHER_SYMBOL
                || type == Character.OTHER_NUMBER;
    }

    /** Not what becomes letters and digits. */
    private static boolean isStable(int c) {
        String symbol = Character.toString(c);
        return TextNormalizer.normalize(symbol).equals(symbol)
                && symbol.toUpperCase(Locale.ROOT).equals(symbol);
    }

    private static String insert(String text, int at, int symbol) {
        return text.substring(0, at) + Character.toString(symbol) + text.substring(at);
    }

    private static String digest(Fingerprinter fingerprinter, String text) {
        return digest(fingerprinter, List.of(text));
    }

    private static String digest(Fingerprinter fingerprinter, List<String> values) {
        return fingerprinter
                .fingerprint(new SourceTexts(List.of(new FieldTexts(1, values)), null), bytes -> {})
                .digest();
    }
}
