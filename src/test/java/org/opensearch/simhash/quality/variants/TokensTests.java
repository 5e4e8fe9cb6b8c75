/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.Character.UnicodeScript;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.quality.NodeProcessors;

/**
 * Features of one token are the words of Lucene's standard analyzer, in random mixes of what the preparation of a text leaves as it
 * is: no quotes, nothing unseen, nothing that NFKC changes, no script that is written without spaces, no Hangul.
 */
class TokensTests {

    private static final Set<UnicodeScript> CUT_OTHERWISE = Set.of(
            UnicodeScript.THAI,
            UnicodeScript.LAO,
            UnicodeScript.KHMER,
            UnicodeScript.MYANMAR,
            UnicodeScript.TAI_LE,
            UnicodeScript.NEW_TAI_LUE,
            UnicodeScript.TAI_THAM,
            UnicodeScript.TAI_VIET,
            UnicodeScript.AHOM,
            UnicodeScript.HANGUL);
    private static final String COMMON = "abcXYZ019 .,:;_-!? \t世界あカー";

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    @TempDir
    Path home;

    private final Random random = new Random(seed.value());
    private final int[] characters = IntStream.range(0, Character.MAX_CODE_POINT)
            .filter(TokensTests::isLeftAsItIs)
            .toArray();

    @Test
    void testWordsOfTheStandardAnalyzer() throws IOException {
        try (NodeProcessors node = new NodeProcessors(home);
                Analyzer standard = new StandardAnalyzer()) {
            Fingerprinter fingerprinter =
                    node.create(Map.of("max_shingle_size", 1)).fingerprinter();
            for (int i = 0; i < 5_000; i++) {
                String text = randomText();
                assertEquals(
                        words(standard, text).stream().map(Folding.LETTERS::of).toList(),
                        features(fingerprinter, text),
                        text);
            }
        }
    }

    /** Stable under composition, too: marks that stand side by side may have an order. */
    private String randomText() {
        StringBuilder text = new StringBuilder();
        double rare = random.nextDouble();
        for (int length = random.nextInt(120); length > 0; length--) {
            text.appendCodePoint(
                    random.nextDouble() < rare
                            ? characters[random.nextInt(characters.length)]
                            : COMMON.charAt(random.nextInt(COMMON.length())));
        }
        return Normalizer.normalize(text, Form.NFKC);
    }

    private static boolean isLeftAsItIs(int c) {
        int type = Character.getType(c);
        boolean isSeen = switch (type) {
            case Character.UNASSIGNED,
                    Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.OTHER_NUMBER,
                    Character.MODIFIER_LETTER,
                    Character.MODIFIER_SYMBOL,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION -> false;
            default -> c != '\'' && c != '"';
        };
        return isSeen
                && CUT_OTHERWISE.contains(UnicodeScript.of(c)) == false
                && Normalizer.isNormalized(Character.toString(c), Form.NFKC)
                && isQuote(Character.getName(c)) == false;
    }

    private static boolean isQuote(String name) {
        return name.contains("QUOTATION")
                || name.contains("APOSTROPHE")
                || name.contains("PRIME")
                || name.contains("GERESH")
                || name.contains("GERSHAYIM")
                || name.contains("SALTILLO")
                || name.contains("VARIATION SELECTOR")
                || name.contains("GRAPHEME JOINER")
                || name.contains("FILLER")
                || name.contains("CORNER BRACKET");
    }

    private static List<String> features(Fingerprinter fingerprinter, String text) {
        List<String> features = new ArrayList<>();
        fingerprinter.features(
                SourceTexts.of(text, null),
                (hash, kind, utf8, offset, length) ->
                        features.add(new String(utf8, offset, length, StandardCharsets.UTF_8)),
                bytes -> {});
        return features;
    }

    private static List<String> words(Analyzer analyzer, String text) throws IOException {
        List<String> words = new ArrayList<>();
        try (TokenStream tokens = analyzer.tokenStream("", text)) {
            CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                words.add(word.toString());
            }
            tokens.end();
        }
        return words;
    }
}
