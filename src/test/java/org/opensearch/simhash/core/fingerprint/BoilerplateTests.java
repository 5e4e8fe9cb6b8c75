/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.passages.RunHashes;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.SourceTexts;

/** Blocks that count for nothing. */
class BoilerplateTests {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final Random random = new Random(seed.value());

    private static final String FOOTER =
            "This e-mail is confidential. If you got it by mistake, delete it (and tell us).";

    private static Boilerplate of(String... blocks) {
        return new Boilerplate(List.of(blocks).stream().map(Boilerplate::digest).toList());
    }

    @Test
    void testTakesBlocksOutOfATextWhereverTheyStand() {
        Boilerplate footer = of(FOOTER);
        assertEquals("See you.\n\n", footer.strip("See you.\n" + FOOTER).replace(").", ""));
        assertEquals(
                "One \n, two \n. Three",
                footer.strip("One THIS E-MAIL is confidential; if you got it by mistake - delete it and tell us, two "
                        + FOOTER.replace(").", "") + ". Three"));
        String unlike = "See you.\nThis e-mail is confidential. If you got it by mistake, burn it and tell us.";
        assertEquals(unlike, footer.strip(unlike));
        assertEquals("", footer.strip(""));
        assertSame(unlike, Boilerplate.NONE.strip(unlike));
    }

    @Test
    void testOfBlocksThatBeginAlikeTheLongestCounts() {
        String begin = "one two three four five";
        assertEquals("a \n b", of(begin, begin + " six seven").strip("a " + begin + " six seven b"));
        assertEquals("a \n six b", of(begin, begin + " six seven").strip("a " + begin + " six b"));
    }

    @Test
    void testScriptsWithoutSpaces() {
        String footer = "版权所有不得转载";
        assertEquals("正文在这里。\n。", of(footer).strip("正文在这里。" + footer + "。"));
        assertTrue(Boilerplate.digest(footer).startsWith("8-"), Boilerplate.digest(footer));
    }

    @Test
    void testFingerprintsAndSketchesAreThoseOfTheRest() {
        Boilerplate footer = of(FOOTER);
        String text = "The tram line closes for repairs on Monday morning, and buses replace it until Friday evening.";
        Recipe plain = new RecipeBuilder().build();
        Recipe stripping = new RecipeBuilder().strip(footer).build();
        Fingerprinter of = with(stripping);
        Fingerprint fingerprint = of.fingerprint(SourceTexts.of(text + "\n" + FOOTER), bytes -> {});
        assertEquals(of.fingerprint(SourceTexts.of(text), bytes -> {}).bits(), fingerprint.bits());
        assertEquals(with(plain).fingerprint(SourceTexts.of(text), bytes -> {}).bits(), fingerprint.bits());
        assertEquals(0, of.fingerprint(SourceTexts.of(FOOTER), bytes -> {}).features());
        assertEquals(
                with(plain)
                        .sketching()
                        .sketch(SourceTexts.of(text), bytes -> {})
                        .sketch(),
                of.sketching()
                        .sketch(SourceTexts.of(FOOTER + " " + text), bytes -> {})
                        .sketch());
    }

    /** Other blocks make other fingerprints. Without blocks the scheme is what it was before there were any. */
    @Test
    void testIsPartOfTheScheme() {
        Recipe plain = new RecipeBuilder().build();
        assertEquals(
                plain.scheme(),
                new RecipeBuilder().strip(Boilerplate.NONE).build().scheme());
        assertNotEquals(
                plain.scheme(), new RecipeBuilder().strip(of(FOOTER)).build().scheme());
        assertNotEquals(
                new RecipeBuilder().strip(of(FOOTER)).build().scheme(),
                new RecipeBuilder().strip(of(FOOTER + " x")).build().scheme());
        assertEquals(
                new RecipeBuilder().strip(of(FOOTER, FOOTER + " x")).build().scheme(),
                new RecipeBuilder().strip(of(FOOTER + " x", FOOTER)).build().scheme());
    }

    private static Fingerprinter with(Recipe recipe) {
        return new Fingerprinter(recipe, new LanguageAnalyzers(new StandardWordAnalyzer(), Map.of(), null));
    }

    @Test
    void testHashesOfRunsDoNotDependOnTheirPlace() {
        Words words = new Words(bytes -> {});
        long[] run = random.longs(30).toArray();
        for (int i = 0; i < 3; i++) {
            for (long word : run) {
                words.add(word);
            }
            words.add(random.nextLong());
        }
        words.endText();
        RunHashes hashes = new RunHashes(words);
        assertEquals(hashes.of(0, 30), hashes.of(31, 61));
        assertEquals(hashes.of(5, 17), hashes.of(67, 79));
        assertNotEquals(hashes.of(0, 31), hashes.of(31, 62));
    }

    @Test
    void testRefusesWhatIsNoListOfDigests() {
        for (String wrong : List.of("", "x", "3-000000000000000000000000", "23-00", FOOTER)) {
            assertEquals(
                    "[strip] must be a list of digests of [blocks], got: " + wrong,
                    assertThrows(IllegalArgumentException.class, () -> new Boilerplate(List.of(wrong)))
                            .getMessage());
        }
        assertEquals(
                "[strip] must have at most 1000 digests, got: 1001",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new Boilerplate(Collections.nCopies(1001, Boilerplate.digest(FOOTER))))
                        .getMessage());
        assertNull(Boilerplate.digest("too few words"));
    }

    /** One word, over and over, and blocks of it. */
    @Test
    void testAMegabyteOfOneWordTakesLinearTime() {
        String[] blocks = new String[40];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = "same ".repeat(50 * i + 10) + "end";
        }
        String text = "same ".repeat(200_000);
        assertEquals(text, of(blocks).strip(text));
    }
}
