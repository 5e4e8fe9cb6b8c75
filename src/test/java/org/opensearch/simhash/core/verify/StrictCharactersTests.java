/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;

class StrictCharactersTests {

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    @Test
    void testTakesATextApart() {
        assertSplit("[0-9A-Za-z]", "A比B大10", "A|B|10", "比大");
        assertSplit("[0-9A-Za-z+\\-*/=]", "求 3x-1=8/2 的解", "3x-1=8/2", "求  的解");
        assertSplit("[0-9]", "", "", "");
        assertSplit("[0-9]", "没有", "", "没有");
        assertSplit("[0-9]", "42", "42", "");
        assertSplit("[0-9]", "19.8 198", "19|8198", ". ");
    }

    @Test
    void testUnderstandsTheClassesOfJava() {
        assertSplit("\\d", "a1b", "1", "ab");
        assertSplit("\\p{IsHan}", "a大b", "大", "ab");
        assertSplit("[^a-y]", "xyz", "z", "xy");
        assertSplit("[a-z&&[^b]]", "abc", "a|c", "b");
        assertSplit("[\\[\\]\\\\]", "a[0]\\b", "[|]\\", "a0b");
        assertSplit("[😀-😂]", "a😁b😎", "😁", "ab😎");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                ".",
                "[0-9]+",
                "[0-9]*[a-z]",
                "(a+)+b",
                "[a]|[b]",
                "[a",
                "a]",
                "[a]]",
                "[a\\]",
                "[a][b]",
                "\\dx",
                "\\",
                "[\\c[](a+)+b]",
                "[\\Q]\\E(a+)+b]",
                "[\\N{LEFT SQUARE BRACKET}]",
                "[]a]",
                "(?x)[a]"
            })
    void testRefusesWhatIsNotOneClass(String regex) {
        var e = assertThrows(IllegalArgumentException.class, () -> new StrictCharacters(regex));
        assertEquals(
                "[strict_characters] must be one regular expression class such as [0-9A-Za-z], got: " + regex,
                e.getMessage());
    }

    @Test
    void testRefusesAClassThatDoesNotCompile() {
        assertDoesNotCompile("[z-a]", "Illegal character range");
        assertDoesNotCompile("[]", "Unclosed character class");
        assertDoesNotCompile("\\p{NoSuchClass}", "Unknown character property name {NoSuchClass}");
    }

    @Test
    void testTakesALongTextApartInParts() {
        String text = "x" + "😁".repeat(5000) + "1" + "y".repeat(5000) + "2";
        assertSplit("[0-9]", text, "1|2", text.replaceAll("[0-9]", ""));
        assertSplit("[😀-😂]", text, "😁".repeat(5000), text.replace("😁", ""));
    }

    @Test
    void testEndsWhenCancelled() {
        var strict = new StrictCharacters("[0-9]");
        var checks = new AtomicInteger();
        assertThrows(
                IllegalStateException.class,
                () -> strict.split("x".repeat(100_000), () -> {
                    if (checks.incrementAndGet() == 3) {
                        throw new IllegalStateException("cancelled");
                    }
                }));
        assertEquals(3, checks.get());
    }

    /** The JDK needs stack for each character of a class. */
    @Test
    void testRefusesALongClass() {
        String longest = "[" + "大0".repeat(StrictCharacters.MAX_LENGTH / 2 - 1) + "]";
        assertSplit(longest, "a大b", "大", "ab");
        var e = assertThrows(IllegalArgumentException.class, () -> new StrictCharacters(longest.replace("]", "1]")));
        assertEquals("[strict_characters] must have at most 1000 characters, got: 1001", e.getMessage());
    }

    /** The JDK takes 8 us for a character that is not in this class: 16 s for the text. */
    @Test
    void testALongClassTakesNoLongerThanAShortOne() {
        String longest = "["
                + IntStream.range(0, StrictCharacters.MAX_LENGTH - 2)
                        .mapToObj(i -> Character.toString(0x4E00 + 3 * i))
                        .collect(Collectors.joining())
                + "]";
        String text = "abcdefgh".repeat(250_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime(); // not the clock, which others of a busy machine take
        assertSplit(longest, text, "", text);
        assertTrue(threads.getCurrentThreadCpuTime() - start < 4_000_000_000L || Rounds.NIGHT == false);
    }

    /** Against the regular expression itself, found from match to match. */
    @Test
    void testFindsWhatTheRegularExpressionFinds() {
        Random random = new Random(seed.value());
        List<String> pieces = List.of(
                "a-f",
                "大",
                "小-方",
                "\\d",
                "\\p{L}",
                "\\P{L}",
                "\\s",
                "+",
                "\\-",
                "\\]",
                "&&[^a-c]",
                "[x-z]",
                "[^0-5]",
                "😀-😅",
                "\\x{1F600}",
                "é",
                "\\w",
                "&&",
                "\\u0041",
                "\\p{IsHan}",
                "\\H",
                ".",
                "^");
        int compared = 0;
        while (compared < 2000) {
            StringBuilder regex = new StringBuilder(random.nextInt(3) == 0 ? "[^" : "[");
            for (int i = random.nextInt(6); i >= 0; i--) {
                regex.append(pieces.get(random.nextInt(pieces.size())));
            }
            String text = text(random);
            try {
                var strict = new StrictCharacters(regex.append(']').toString());
                assertEquals(
                        found(Pattern.compile(regex.toString()), text),
                        strict.split(text, () -> {}),
                        regex + " " + text);
                assertEquals(
                        found(Pattern.compile(regex.toString()), "x大" + text), strict.split("x大" + text, () -> {}));
                compared++;
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().startsWith("[strict_characters] must be"), e::getMessage);
            }
        }
    }

    private static String text(Random random) {
        int[] characters =
                "abfxyz019 +-]\t大小方中éA_.^&😀😃😅😈\u00A0".codePoints().toArray();
        return random.ints(random.nextInt(40), 0, characters.length)
                .mapToObj(i -> Character.toString(characters[i]))
                .collect(Collectors.joining());
    }

    private static StrictCharacters.Split found(Pattern pattern, String text) {
        List<String> sequences = new ArrayList<>();
        StringBuilder rest = new StringBuilder();
        int end = 0;
        for (Matcher matcher = pattern.matcher(text); matcher.find(); end = matcher.end()) {
            String between = text.substring(end, matcher.start());
            rest.append(between);
            if (sequences.isEmpty() || between.isBlank() == false) {
                sequences.add(matcher.group());
            } else {
                sequences.set(sequences.size() - 1, sequences.getLast() + matcher.group());
            }
        }
        return new StrictCharacters.Split(
                String.join("\0", sequences), rest.append(text.substring(end)).toString());
    }

    @Test
    void testIsAValue() {
        assertEquals(new StrictCharacters("[a]"), new StrictCharacters("[a]"));
        assertEquals(new StrictCharacters("[a]").hashCode(), new StrictCharacters("[a]").hashCode());
        assertNotEquals(new StrictCharacters("[a]"), new StrictCharacters("[b]"));
        assertEquals("[a]", new StrictCharacters("[a]").toString());
    }

    private static void assertDoesNotCompile(String regex, String reason) {
        var e = assertThrows(IllegalArgumentException.class, () -> new StrictCharacters(regex));
        assertEquals(
                "[strict_characters] must be a valid regular expression class (" + reason + "), got: " + regex,
                e.getMessage());
    }

    private static void assertSplit(String regex, String text, String strict, String rest) {
        String sequences = strict.replace('|', '\0');
        assertEquals(new StrictCharacters.Split(sequences, rest), new StrictCharacters(regex).split(text, () -> {}));
    }
}
