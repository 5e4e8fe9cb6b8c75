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
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** As it was written: what a page shows without the blocks. */
    @Test
    void testTakesBlocksOutOfATextThatIsNotNormalised() {
        Boilerplate footer = of("all rights of caf\u00E9s are reserved");
        assertEquals("news \n", footer.strip("news all rights of cafe\u0301s are re\u00ADserved"));
        assertEquals("cafe\u0301s", Boilerplate.NONE.strip("cafe\u0301s"));
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

    private static final String HEAD =
            "For immediate release: contact the press office of the Northern Company by mail.";
    private static final String FOOT =
            "About the Northern Company: it was founded in 1901 and has offices in forty countries.";

    private String words(int count) {
        return random.ints(count, 0, 1_000_000).mapToObj(word -> "w" + word).collect(Collectors.joining(" "));
    }

    private List<String> texts(int count, Supplier<String> text) {
        return Stream.generate(text).limit(count).toList();
    }

    @Test
    void testAFrameIsWhatManyTextsShare() {
        List<String> texts = texts(40, () -> HEAD + " " + words(60) + " " + FOOT);
        Boilerplate frame = Boilerplate.frame(texts, bytes -> {});
        assertEquals(of(HEAD, FOOT), frame);
        assertEquals(
                "40 of 40 texts looked at have parts of one frame, 32 % of a text, which are compared like the rest:"
                        + " [strip] of 2 blocks leaves them out",
                frame.warning(texts).orElseThrow());
        assertTrue(frame.strip(texts.getFirst()).matches("\\W*(w\\d+ ?){60}\\W*"));
        assertSame(
                Boilerplate.NONE,
                Boilerplate.frame(texts.stream().map(frame::strip).toList(), bytes -> {}));

        List<String> half = Stream.concat(texts.stream().limit(20), texts(20, () -> words(80)).stream())
                .toList();
        assertEquals(of(HEAD, FOOT), Boilerplate.frame(half, bytes -> {}));
    }

    /** A part has other neighbours in some texts. */
    @Test
    void testAFrameHasParts() {
        List<String> texts = Stream.concat(
                        texts(20, () -> HEAD + " " + words(30) + " " + FOOT).stream(),
                        texts(20, () -> HEAD + " " + FOOT + " " + words(30)).stream())
                .toList();
        assertEquals(of(HEAD, FOOT, HEAD + " " + FOOT), Boilerplate.frame(texts, bytes -> {}));
    }

    @Test
    void testCopiesFewTextsAndSmallPartsAreNoFrame() {
        String copy = words(200);
        List<List<String>> without = List.of(
                texts(19, () -> HEAD + words(60)),
                texts(40, () -> copy),
                texts(40, () -> copy + " " + words(9)),
                texts(40, () -> HEAD + " " + words(1)),
                Stream.concat(
                                texts(30, () -> copy.replaceFirst(" w" + random.nextInt(10), " edited ")).stream(),
                                texts(10, () -> words(80)).stream())
                        .toList(),
                texts(40, () -> HEAD + words(200)),
                texts(40, () -> words(60)),
                texts(40, () -> ""),
                List.of());
        for (List<String> texts : without) {
            Boilerplate frame = Boilerplate.frame(texts, bytes -> {});
            assertSame(Boilerplate.NONE, frame);
            assertEquals(Optional.empty(), frame.warning(texts));
        }
    }

    @Test
    void testTheMemoryOfAFrameIsAccounted() {
        AtomicLong taken = new AtomicLong();
        Boilerplate.frame(texts(40, () -> words(60)), taken::addAndGet);
        assertTrue(taken.get() >= 40 * 53 * 136, () -> "" + taken);
    }

    /** A word may be one character. */
    @Test
    void testTheMemoryOfWordsIsAccounted() {
        AtomicLong taken = new AtomicLong();
        of("one two three four").strip("\u5E02\u8BAE\u4F1A\u5468".repeat(10_000), taken::addAndGet);
        assertTrue(taken.get() >= 40_000 * 32, () -> "" + taken);
        taken.set(0);
        of("one two three four").strip("a word".repeat(10_000), taken::addAndGet);
        assertTrue(taken.get() >= 10_000 * 32 && taken.get() < 20_000 * 32, () -> "" + taken);
    }
}
