/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.text.NormalForm;
import org.opensearch.simhash.core.text.SourceTexts;

class ScriptGramsTests {

    private static final String THAI =
            "\u0E2A\u0E20\u0E32\u0E40\u0E21\u0E37\u0E2D\u0E07\u0E2D\u0E19\u0E38\u0E21\u0E31\u0E15\u0E34\u0E40\u0E2A\u0E49\u0E19\u0E17\u0E32\u0E07";

    private final Analyzer standard = new StandardWordAnalyzer();
    private final Fingerprinter fingerprinter =
            new RecipeBuilder().minFeatures(1).standard();

    @Test
    void testRunsOfThreeCharacters() throws IOException {
        assertEquals(
                List.of("\u0E40\u0E21\u0E37", "\u0E21\u0E37\u0E2D", "\u0E37\u0E2D\u0E07"),
                terms("\u0E40\u0E21\u0E37\u0E2D\u0E07"));
        assertEquals(List.of("\u0E01\u0E02"), terms("\u0E01\u0E02"));
        assertEquals(List.of("\u0E01"), terms("\u0E01"));
    }

    @Test
    void testRunsOfTwoHangulSyllables() throws IOException {
        assertEquals(List.of("\uB3C4\uC2DC", "\uC2DC\uC758", "\uC758\uD68C"), terms("\uB3C4\uC2DC \uC758\uD68C"));
        assertEquals(List.of("2024", "\uB144"), terms("2024\uB144"));
        assertEquals(
                List.of("iphone", "\uC740", "new", "\uAC00\uB098", "x"), terms("iPhone\uC740 new \uAC00, \uB098 x"));
    }

    /** Across the windows and the words of at most 255 characters that the tokenizer below makes. */
    @Test
    void testWhereALongRunIsCutDoesNotMatter() throws IOException {
        Random random = new Random(5);
        for (int n = 0; n < 20; n++) {
            StringBuilder text = new StringBuilder();
            List<String> characters = new ArrayList<>();
            for (int i = 0; i < 12_000; i++) {
                String character = Character.toString(0x0E01 + random.nextInt(46));
                characters.add(character);
                text.append(character).append(random.nextInt(50) == 0 ? " , ".repeat(random.nextInt(30)) : "");
            }
            List<String> expected = new ArrayList<>();
            for (int i = 0; i + 3 <= characters.size(); i++) {
                expected.add(String.join("", characters.subList(i, i + 3)));
            }
            assertEquals(expected, terms(text.toString()));
        }
    }

    /** White space, zero-width spaces and punctuation inside are not of matter. */
    @Test
    void testSpacesDoNotMatter() {
        Random random = new Random(6);
        for (String text : List.of(
                THAI,
                "\u0E99\u0EB0\u0E84\u0EAD\u0E99\u0EAB\u0EBC\u0EA7\u0E87\u0EA7\u0EBD\u0E87\u0E88\u0EB1\u0E99",
                "\u1797\u17D2\u1793\u17C6\u1796\u17C1\u1789\u1787\u17B6\u179A\u17B6\u1787\u1792\u17B6\u1793\u17B8",
                "\u101B\u1014\u103A\u1000\u102F\u1014\u103A\u1019\u103C\u102D\u102F\u1037\u1010\u1031\u102C\u103A",
                "\uC11C\uC6B8\uC2DC\uC758\uD68C\uAC00\uC0C8\uB85C\uC6B4\uB178\uC120\uC744\uC2B9\uC778\uD588\uB2E4")) {
            Fingerprint whole = fingerprint(text);
            assertTrue(whole.features() > 6, "features of " + text + ": " + whole.features());
            for (String space : List.of(" ", "\u200B", "\n", "\u3000", ", ")) {
                StringBuilder spaced = new StringBuilder();
                for (int i = 0; i < text.length(); i++) {
                    boolean isMark = NormalForm.isCountedInRun(text.charAt(i));
                    spaced.append(isMark == false && random.nextInt(3) == 0 ? space : "")
                            .append(text.charAt(i));
                }
                assertEquals(whole, fingerprint(spaced.toString()), spaced.toString());
            }
        }
    }

    @Test
    void testAnotherWordEndsARun() throws IOException {
        List<String> terms = terms("\u0E01\u0E02\u0E04\u0E07 word \u0E08\u0E09\u0E0A");
        assertEquals(List.of("\u0E01\u0E02\u0E04", "\u0E02\u0E04\u0E07", "word", "\u0E08\u0E09\u0E0A"), terms);
    }

    /** Ahom is outside of the first plane. */
    @Test
    void testCharactersOfTwoUnits() throws IOException {
        List<String> terms = terms("\uD805\uDF00\uD805\uDF01\uD805\uDF02\uD805\uDF03");
        assertEquals(List.of("\uD805\uDF00\uD805\uDF01\uD805\uDF02", "\uD805\uDF01\uD805\uDF02\uD805\uDF03"), terms);
    }

    private Fingerprint fingerprint(String text) {
        return fingerprinter.fingerprint(SourceTexts.of(text), bytes -> {});
    }

    private List<String> terms(String text) throws IOException {
        List<String> terms = new ArrayList<>();
        try (TokenStream tokens = standard.tokenStream("", text)) {
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
