/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextNormalizerTests {

    @ParameterizedTest
    @CsvSource({
        "full-width forms, \uFF21\uFF22\uFF23\uFF11\uFF12, ABC12",
        "soft hyphen, near\u00ADduplicate, nearduplicate",
        "byte order mark, \uFEFFtext, text",
        "zero-width joiners, a\u200Cb\u200Dc\u2060d, abcd",
        "zero-width spaces in a word, a\u200Bb\u200B\u200Dc\u200B\u0301d, ab\u0107d",
        "zero-width spaces in other scripts, \u0430\u200B\u0431 \u03B1\u200B\u03B2 \u05D0\u200B\u05D1 \uAC00\u200B\uB098, \u0430\u0431 \u03B1\u03B2 \u05D0\u05D1 \uAC00\uB098",
        "zero-width spaces of Thai Khmer Lao Burmese, \u0E01\u200B\u0E02 \u1780\u200B\u1781 \u0E81\u200B\u0E82 \u1000\u200B\u1001, \u0E01 \u0E02 \u1780 \u1781 \u0E81 \u0E82 \u1000 \u1001",
        "a zero-width space between two scripts, a\u200B\u0E01 \uFEFF\u200B\u4E16, a \u0E01  \u4E16",
        "invisible operators and tags, a\u2061b\u180Ec\uDB40\uDC41d\u206Ae, abcde",
        "superscripts and fractions, 2\u00B3 H\u2082O \u00BD x\u207F \u2122, 2\u00B3 H\u2082O \u00BD x\u207F \u2122",
        "a squared unit, 5 \u33A1, 5 m\u00B2",
        "other compatibility forms, \u2460 \u2167 \u3392, 1 VIII MHz",
        "right-to-left marks, a\u200Fb\u202Ec\u2066d, abcd",
        "Arabic tatweel, \u0643\u0640\u0640\u062A\u0628, \u0643\u062A\u0628",
        "tatweel inside a presentation form, \uFE71, \u064B",
        "combining accent, cafe\u0301, caf\u00E9",
        "accent behind a joiner, cafe\u200D\u0301, caf\u00E9",
        "ligature, \uFB01ne, fine",
        "variation selector, \u2764\uFE0F, \u2764",
        "control characters, a\u0007b\u0000c, abc",
        "lone surrogates, a\uD800b\uDC00c, abc",
        "rare separators, a\u001Fb, a b",
    })
    void testTextsThatReadAlikeBecomeAlike(String what, String text, String expected) {
        assertEquals(expected, TextNormalizer.normalize(text), what);
    }

    @Test
    void testLineSeparatorsAreLineBreaks() {
        assertEquals("a\nb\nc\nd", TextNormalizer.normalize("a\u000Bb\u0085c\u2029d"));
    }

    /** Each letter goes the long way, alone, in a row, or among others. */
    @Test
    void testALongTextAsksWhetherToGoOn() {
        for (String text : List.of("o\u0308", "o\u0308 in a word, ", "\uFB03")) {
            int times = 600_000 / text.length();
            long[] asked = new long[1];
            TextNormalizer.normalize(text.repeat(times), grown -> asked[0] += grown == 0 ? 1 : 0);
            long changed = (long) times * (text.contains("word") ? 1 : text.length());
            assertTrue(
                    asked[0] >= changed / TextNormalizer.CHARACTERS_BETWEEN_CHECKS,
                    asked[0] + " times in " + changed + " characters");
            IllegalStateException cancelled = new IllegalStateException("cancelled");
            assertSame(
                    cancelled,
                    assertThrows(
                            IllegalStateException.class,
                            () -> TextNormalizer.normalize(text.repeat(times), grown -> {
                                if (grown == 0) {
                                    throw cancelled;
                                }
                            })));
        }
    }

    @Test
    void testLineBreaksAndTabsStay() {
        String text = "one\ntwo\r\n\tthree";
        assertSame(text, TextNormalizer.normalize(text));
        assertEquals("\u00E9\ntwo\r\n\tthree", TextNormalizer.normalize("e\u0301\ntwo\r\n\tthree"));
    }

    @Test
    void testCharactersOutsideTheFirstPlaneStay() {
        assertEquals("\uD83D\uDE00 \uD840\uDC00", TextNormalizer.normalize("\uD83D\uDE00 \uD840\uDC00"));
    }

    @Test
    void testNormalizingTwiceChangesNothing() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String once = TextNormalizer.normalize("e" + Character.toString(c) + "\u0301");
            assertEquals(once, TextNormalizer.normalize(once), Integer.toHexString(c));
        }
    }

    @Test
    void testARunOfCombiningMarksIsCut() {
        String marks = "\u0301\u0316".repeat(1_000_000);
        String normalized = TextNormalizer.normalize("e" + marks + "f");
        assertTrue(normalized.length() <= NormalForm.MAX_COMBINING_MARKS + 2, "length " + normalized.length());
        assertTrue(normalized.endsWith("f"));
    }

    @ParameterizedTest
    @CsvSource({
        "half-width sound marks, \u0301\uFF9E",
        "half-width semi-voiced sound marks, \u0301\uFF9F",
        "sound marks alone, \uFF9E",
        "sound marks and variation selectors, \uFE0F\uFF9E\u0301",
        "vowel signs that make one of two, \uD81B\uDD67",
        "what they make, \uD81B\uDD68",
        "vowel signs and accents, \u0316\uD81B\uDD67\u0301",
        "Hangul vowels, \u0301\u1161",
        "Hangul syllables in parts, \u1100\u1161",
        "half-width Hangul, \uFFA1\uFFC2",
    })
    void testTimeIsLinearInARun(String what, String repeated) {
        String text = "e" + repeated.repeat(1_000_000) + "f";
        String normalized =
                assertTimeoutPreemptively(Duration.ofMinutes(1), () -> TextNormalizer.normalize(text), what);
        assertTrue(normalized.endsWith("f"), what);
    }

    /** Whatever becomes something that is ordered among marks, or composes with what stands before it, again and again. */
    @Test
    void testAllThatLeansOnTheCharacterBeforeIsCountedInARun() {
        Set<Integer> composing = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .mapToObj(Character::toString)
                .filter(c -> Normalizer.isNormalized(c, Normalizer.Form.NFC))
                .map(c -> Normalizer.normalize(c, Normalizer.Form.NFD))
                .filter(parts -> parts.codePointCount(0, parts.length()) > 1)
                .map(parts -> parts.codePointBefore(parts.length()))
                .collect(Collectors.toSet());
        int counted = 0;
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            int first = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKD)
                    .codePointAt(0);
            // Of a Hangul syllable's parts one of each kind composes, and no more.
            boolean hangul = first >= 0x1100 && first <= 0x11FF;
            if (isOrderedAmongMarks(first) || (composing.contains(first) && hangul == false)) {
                assertTrue(NormalForm.isCountedInRun(c), "U+" + Integer.toHexString(c));
                counted++;
            }
        }
        assertTrue(counted > 900, "found " + counted);
    }

    /** U+0345 has the highest combining class of all: whatever has one goes before it. */
    private static boolean isOrderedAmongMarks(int c) {
        String mark = Character.toString(c);
        return c == 0x345
                || Normalizer.normalize("\u0345" + mark, Normalizer.Form.NFD).equals(mark + "\u0345");
    }

    @Test
    void testARunUpToTheLimitIsLeftToUnicode() {
        for (String mark : List.of("\uFF9E", "\uFF9F", "\uD81B\uDD67", "\uD81B\uDD68", "\u0301", "\u0316")) {
            for (String pair : List.of(mark, mark + "\uFF9E", "\u0301" + mark)) {
                int marks = pair.codePointCount(0, pair.length());
                String text = "\uFF76" + pair.repeat(NormalForm.MAX_COMBINING_MARKS / marks) + "\uFF76";
                assertEquals(Normalizer.normalize(text, Normalizer.Form.NFKC), TextNormalizer.normalize(text));
            }
        }
    }

    /** The short way out is only for texts that the long way leaves as they are. */
    @Test
    void testUnchangedCharactersStayTheSameInAnyCompany() {
        int[] unchanged = IntStream.range(0, Character.MAX_VALUE)
                .filter(c -> LoneCharacters.isUnchanged((char) c))
                .toArray();
        assertTrue(unchanged.length > 50_000, "covers the common scripts");
        Random random = new Random(2100);
        for (int i = 0; i < 20_000; i++) {
            String text = random.ints(50, 0, unchanged.length)
                    .map(c -> unchanged[c])
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertEquals(text, NormalForm.of(text));
        }
        assertTrue(mayChange("e\u0301"));
        assertTrue(mayChange("\u1112\u1161"));
        assertTrue(mayChange("a\u00ADb"));
        assertTrue(mayChange("\u3392"));
        assertFalse(mayChange("Größe, façade, año, Съешь, \"quoted\" \u2013 \u20AC 5 \u00BD"));
    }

    /** Whatever becomes of a character alone becomes of it beside any other, but marks and Hangul letters. */
    @Test
    void testCharactersThatChangeAlone() {
        for (int c = 0; c < Character.MAX_VALUE; c++) {
            for (String text : List.of("e" + (char) c, (char) c + "\u0301", "\uFF0C" + (char) c + "\uFF0C\u4E16")) {
                assertEquals(
                        NormalForm.of(NormalForm.joinZeroWidth(text)),
                        TextNormalizer.normalize(text),
                        () -> "in U+"
                                + HexFormat.of().withUpperCase().formatHex(text.getBytes(StandardCharsets.UTF_16BE)));
            }
        }
    }

    /** Changes are worked on slice by slice: as if the text went the long way as a whole. */
    @Test
    void testSlicesGiveWhatTheWholeTextGives() {
        String some =
                "ab é\u0301\u0316\u00AD\u00BD\u1112\u1161\u11A8\u0640\uFE71\uFF21\u200D\u2026\u4E16\u2028\n\u212B\u09C7\u09BE\uD83D\uDE00\uFF76\uFF9E\u3131\uFF0C\u3000\u0000\uFFFF";
        Random random = new Random(15);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(40); length > 0; length--) {
                text.append(random.nextBoolean() ? 'x' : some.charAt(random.nextInt(some.length())));
            }
            String whole = Hyphenation.joinSoft(text.toString());
            assertEquals(Hyphenation.join(NormalForm.of(whole)), TextNormalizer.normalize(text.toString()));
        }
    }

    /** In place: as if the text went the long way as a whole, or not at all. */
    @Test
    void testInPlaceGivesWhatTheLongWayGives() {
        String easy = "ab \u00E9\u00A0\u202F\uFF21\u2026\u2028\n\u4E16\u201C\uFFFF";
        String some = easy + "\u0301\u00AD\u00BD\u1112\u1161\u0640\u200D\uFE0F\uFF9E";
        List<Integer> planes = List.of(0x1F000, 0x1F100, 0x1F1E6, 0x1F300, 0x1F3FB, 0x1F600, 0x1FBF0, 0x1D157, 0x20000);
        Random random = new Random(17);
        int inPlace = 0;
        for (int i = 0; i < 100_000; i++) {
            String of = random.nextInt(4) == 0 ? some : easy;
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(20); length > 0; length--) {
                if (random.nextInt(4) == 0) {
                    text.appendCodePoint(planes.get(random.nextInt(planes.size())) + random.nextInt(256));
                } else {
                    text.append(random.nextInt(50) == 0 ? '\uD83D' : of.charAt(random.nextInt(of.length())));
                }
            }
            char[] chars = text.toString().toCharArray();
            int changed = LoneCharacters.normalize(chars, chars.length);
            if (changed >= 0) {
                inPlace++;
                String transformed = NormalForm.of(text.toString());
                assertEquals(transformed, new String(chars));
                assertEquals(transformed.equals(text.toString()), changed == 0);
            }
        }
        assertTrue(inPlace > 20_000 && inPlace < 80_000, inPlace + " of 100,000");
        char[] emoji = "go \uD83D\uDE80\u00A0now".toCharArray();
        assertEquals(1, LoneCharacters.normalize(emoji, emoji.length));
        assertEquals("go \uD83D\uDE80 now", new String(emoji));
    }

    /** A slice goes in pieces: as if it went as a whole, whatever stands at the cut. */
    @Test
    void testPiecesGiveWhatTheWholeSliceGives() {
        String before = "\uFB01".repeat(1022) + "\u200D\u1112";
        Random random = new Random(16);
        for (int c = 0; c < Character.MAX_VALUE; c++) {
            if (LoneCharacters.isUnchanged((char) c) == false && random.nextInt(8) == 0) {
                String text = before + (char) c + "\u0301\u1161\uFB01";
                String seen = NormalForm.joinZeroWidth(text);
                assertEquals(NormalForm.of(seen), TextNormalizer.normalize(text), "U+" + Integer.toHexString(c));
            }
        }
        String some =
                "\u0301\u0316\u00AD\u00BD\u1112\u1161\u11A8\u0640\uFE71\u200D\uFDFA\u09C7\u09BE\uD83D\uDE00\uFF76\uFF9E";
        for (int i = 0; i < 100; i++) {
            String text = random.ints(5000, 0, some.length())
                    .map(some::charAt)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertEquals(NormalForm.of(text), TextNormalizer.normalize(text));
        }
    }

    @Test
    void testATextThatGrowsIsToldBefore() {
        String text = "x" + "\uFDFA".repeat(100_000);
        AtomicLong told = new AtomicLong();
        int grown = TextNormalizer.normalize(text, told::addAndGet).length() - text.length();
        assertEquals(17 * 100_000, grown);
        // There is room for an eighth from the start on.
        assertTrue(told.get() >= grown - text.length() / 8 && told.get() <= 2L * grown, "told " + told);
        told.set(0);
        assertThrows(
                IllegalStateException.class,
                () -> TextNormalizer.normalize(text, characters -> {
                    if (told.addAndGet(characters) > 500_000) {
                        throw new IllegalStateException("too long");
                    }
                }));
        told.set(0);
        TextNormalizer.normalize("cafe\u0301 \uFF21 ".repeat(100_000), told::addAndGet);
        assertEquals(0, told.get());
    }

    private static boolean mayChange(String text) {
        return text.chars().anyMatch(c -> LoneCharacters.isUnchanged((char) c) == false);
    }
}
