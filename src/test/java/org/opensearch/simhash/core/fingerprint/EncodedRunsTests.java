/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.text.SourceTexts;

class EncodedRunsTests {

    private static final String BEFORE = "Dear all, the minutes of the meeting are below.\n";
    private static final String AFTER = "\n\nKind regards\nAnna";

    private static final List<String> PEOPLE_WRITE = List.of(
            "Monday",
            "3rd",
            "NASA",
            "USB-C",
            "42nd",
            "Yes",
            "no",
            "iPhone15",
            "McDonald",
            "A4",
            "B2B",
            "2024",
            "km/h",
            "RFC822");

    private final Random random = new Random(54);

    @Test
    void testBase64IsOneWordInLinesOfAnyWidth() {
        for (int width : new int[] {16, 20, 33, 40, 57, 60, 64, 72, 76, 100, 998, 1_000_000}) {
            for (int bytes : new int[] {48, 120, 300, 5000, 20_000}) {
                for (String lineBreak : new String[] {"\n", "\r\n", "\n  ", "\n> "}) {
                    for (byte[] picture : List.of(bytes(bytes), textOf(bytes), pixels(Math.max(3000, bytes)))) {
                        String encoded = Base64.getEncoder().encodeToString(picture);
                        // A last line of four letters alone may be a word.
                        String text = BEFORE + lines(encoded.replaceFirst("[^=]{4}$", "x1Y2"), width, lineBreak);
                        assertRuns(1, BEFORE, "", text, width + " " + bytes);
                        assertRuns(1, BEFORE, AFTER, text + AFTER, width + " " + bytes + " " + lineBreak.length());
                    }
                }
            }
        }
    }

    /** Of less than 16 characters, if there are many; with blank lines between. */
    @Test
    void testNarrowAndSpacedLinesOfBase64() {
        for (int width = 4; width < 16; width++) {
            for (String lineBreak : new String[] {"\n", "\r\n", "\n> ", "\n\n", "\n| "}) {
                for (String alphabet : new String[] {"+/", "-_"}) {
                    String encoded = Base64.getEncoder().encodeToString(bytes(901));
                    String text = lines(
                            encoded.replace('+', alphabet.charAt(0)).replace('/', alphabet.charAt(1)),
                            width,
                            lineBreak);
                    String before = BEFORE + " ".repeat(random.nextInt(20)) + "\n";
                    assertRuns(1, before, AFTER, before + text + AFTER, width + " " + alphabet);
                }
            }
        }
        String spaced = lines(Base64.getEncoder().encodeToString(bytes(1000)), 60, "\n\n");
        assertRuns(1, BEFORE, "\n\nMcDonald 4711", BEFORE + spaced + "\n\nMcDonald 4711", spaced);
        String whole = lines(Base64.getEncoder().encodeToString(bytes(900)), 60, "\n");
        assertRuns(1, BEFORE, "\n\nMcDonald", BEFORE + whole + "\n\nMcDonald", whole);
    }

    @Test
    void testUrlAlphabetAndNoPadding() {
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(200));
        assertRuns(
                1,
                "see https://example.org/a?token=",
                "&b=c",
                "see https://example.org/a?token=" + token + "&b=c",
                token);
    }

    @Test
    void testDataUris() {
        String tiny = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
        assertRuns(1, "a (", ") b", "a (" + tiny + ") b", tiny);
        String lines = "data:image/png;charset=utf-8;base64,"
                + lines(Base64.getEncoder().encodeToString(bytes(900)), 76, "\n");
        assertRuns(1, "a \"", "\" b", "a \"" + lines + "\" b", lines);
        String inHtml = tiny.replace("+", "&#43;").replace("/", "&#x2F;").replace("image&#x2F;", "image/");
        assertRuns(1, "<img src='", "'> b", "<img src='" + inHtml + "'> b", inHtml);
        String svg = "data:image/svg+xml,%3Csvg%20xmlns%3D%22http%3A//www.w3.org/2000/svg%22%3E%3C/svg%3E";
        assertRuns(1, "url('", "') b", "url('" + svg + "') b", svg);
        for (String none : new String[] {
            "data:image/png is a type, and this is text",
            "data:,Hello%2C%20World!",
            "The data: image/png,AAAAAAAAAAAAAAAAAAAAA",
            "station 7 data:2024/05/01,temperature=23.5,humidity=40",
            "data:sensor/7,temperature=23.5,humidity=40",
            "metadata:text/html,charset=utf-8,language=english"
        }) {
            assertSame(none, EncodedRuns.replace(none, hash -> {}));
        }
    }

    @Test
    void testLongHexadecimal() {
        for (int width : new int[] {32, 60, 64, 80, 1_000_000}) {
            for (boolean upper : new boolean[] {false, true}) {
                HexFormat format = upper ? HexFormat.of().withUpperCase() : HexFormat.of();
                String text = BEFORE + lines(format.formatHex(bytes(400)), width, "\n");
                assertRuns(1, BEFORE, AFTER, text + AFTER, text);
            }
        }
    }

    /** The fewest decimal digits that a run may have. Texts with fewer are not looked at. */
    @Test
    void testRunsOfFewDecimalDigits() {
        String hex = "abcdef".repeat(11);
        for (String run : List.of(hex + "12", "1" + hex + "2")) {
            assertRuns(1, BEFORE, AFTER, BEFORE + run + AFTER, run);
        }
        String without = BEFORE + hex + "1" + AFTER;
        assertSame(without, EncodedRuns.replace(without, hash -> {}));
    }

    /** Most texts are not read whole, as their digits stand in no line of a run. That changes nothing: digits behind them have them read. */
    @Test
    void testRunsAreFoundByTheirDigitsAsByReadingAll() {
        String readAll = "\n. 1= 2=";
        List<String> alphabets =
                List.of("abcdef0", "ABCDEFabcdef019", "ABCDEFGHIJabcdefghijklmnopqrstuvwxyz01+/", "0123456789");
        List<String> breaks = List.of("\n", "\r\n", " ", "\n\n", "\n> ", "\t", ", ");
        List<String> ends = List.of("", "=", "\n==", ".", "\n", " \u201Cx\u201D");
        WordCutter cutter = new WordCutter(false);
        int begun = 0;
        int found = 0;
        for (int i = 0; i < 3_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int part = random.nextInt(4); part >= 0; part--) {
                int width = 1 + random.nextInt(random.nextBoolean() ? 20 : 90);
                String lineBreak = any(breaks);
                String line = lines(letters(any(alphabets), 40 + random.nextInt(400)), width, lineBreak);
                text.append(random.nextBoolean() ? BEFORE : any(PEOPLE_WRITE) + " ")
                        .append(line)
                        .append(any(ends));
            }
            String whole = text.toString();
            String replaced = EncodedRuns.replace(whole, hash -> {});
            found += replaced.equals(whole) ? 0 : 1;
            if (cutter.look(whole) && cutter.mayHaveRuns() == false) {
                assertEquals(whole, replaced, "begun with a run");
                begun++;
            }
            assertEquals(EncodedRuns.replace(whole + readAll, hash -> {}), replaced + readAll, whole);
        }
        assertTrue(found > 500, "with a run: " + found);
        assertTrue(begun > 50, "begun without a look at runs: " + begun);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String letters(String alphabet, int length) {
        return random.ints(length, 0, alphabet.length())
                .mapToObj(i -> alphabet.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    @Test
    void testWhatPeopleWriteStays() {
        List<String> texts = new ArrayList<>(List.of(
                "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz und Donaudampfschifffahrtsgesellschaft"
                        .repeat(3),
                "https://example.org/questions/12345678/How-To-Do-Something-With-A-Long-Title-And-Capitals-In-2024/Answer1?x=1",
                "/usr/lib/jvm/java-21-openjdk-amd64/lib/server/libjvm/ClassLoader/Native/Reference_v12/Handle_X86_64/index",
                "testFindsEveryDocumentWithinTheDistanceWhenItIsTheFirstOfMany2024AndTheLastOfAllOfThemInTheIndexOfTheCluster",
                "org_opensearch_simhash_Fingerprinter_PREPARE_TEXT_v2_With_A_Long_NAME_4711_OF_CONSTANTS_AND_More_Of_It_X1",
                "ACGTTGCAAGCTTAGGCATCGATCGATCGGGATATATCCCGAGAGCT\n".repeat(40),
                "acgtnnnnACGTTGCAAGCTTAGGCATCGATCGATCGGGATATATCCCGAGAGCTacgtacgtacgtttgaca".repeat(20),
                "MTEYKLVVVGAGGVGKSALTIQLIQNHFVDEYDPTIEDSYRKQVVIDGETCLLDILDTAGQEEYSAMRDQYMRTGEGFLCVFAINNTKSFEDIHHYREQ\n"
                        .repeat(5),
                "3141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117067"
                        .repeat(3),
                "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b\nsha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                "CustomerRecord0001\nCustomerRecord0002\n".repeat(40),
                "中文字符是不会被吃掉的".repeat(30),
                "ภาษาไทยไม่มีการเว้นวรรคระหว่างคำ".repeat(30),
                "----------------------------------------\n========================================\n".repeat(9),
                "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "The quick brown fox jumps over the lazy dog and internationalization counterrevolutionaries happily"
                        .repeat(9)));
        texts.add(IntStream.range(0, 300)
                .mapToObj(i -> "Item" + i + "OfThe" + (char) ('A' + i % 26) + "List")
                .collect(Collectors.joining("\n")));
        texts.add(IntStream.range(0, 300)
                .mapToObj(
                        i -> String.format(java.util.Locale.ROOT, "2026-11-27T%02d:%02d:%02dZ", i % 24, i % 60, i % 60))
                .collect(Collectors.joining("\n")));
        texts.add(IntStream.range(0, 500)
                .mapToObj(i -> String.valueOf(10 + i * 7 % 90))
                .collect(Collectors.joining(" ")));
        texts.add("be ad fa de\n".repeat(60));
        texts.add(IntStream.range(0, 40)
                .mapToObj(i -> new java.util.UUID(random.nextLong(), random.nextLong()).toString())
                .collect(Collectors.joining("\n")));
        for (int width = 2; width < 8; width++) {
            int end = width;
            texts.add(new Random(7)
                    .ints(300, 0, PEOPLE_WRITE.size())
                    .mapToObj(i -> PEOPLE_WRITE.get(i))
                    .filter(word -> word.length() >= end)
                    .map(word -> word.substring(0, end))
                    .collect(Collectors.joining("\n")));
            texts.add(new Random(8)
                    .longs(300, (long) Math.pow(36, end - 1), (long) Math.pow(36, end))
                    .mapToObj(i -> Long.toString(i, 36).toUpperCase(Locale.ROOT))
                    .collect(Collectors.joining("\n")));
        }
        texts.add("6a5acd\nff8c00\n2e8b57\n708090\n".repeat(12));
        texts.add(IntStream.range(0, 20)
                .mapToObj(i -> lines(HexFormat.of().formatHex(bytes(6)), 2, ":"))
                .collect(Collectors.joining("\n")));
        texts.add(IntStream.range(0, 6)
                .mapToObj(i -> lines(HexFormat.of().formatHex(bytes(16)), 4, ":"))
                .collect(Collectors.joining("\n")));
        texts.add(IntStream.range(0, 20)
                .mapToObj(i -> Base64.getUrlEncoder().encodeToString(bytes(8)).substring(0, 11))
                .collect(Collectors.joining("\n")));
        for (String text : texts) {
            assertSame(text, EncodedRuns.replace(text, hash -> {}), text.substring(0, Math.min(99, text.length())));
        }
    }

    @Test
    void testTimeIsLinear() {
        int size = 4_000_000;
        String[] pieces = {
            "data:",
            "data:text/b,",
            "Aa1Aa1Aa1Aa1Aa1A ",
            "Aa1Aa1Aa1Aa1Aa1A\n\n",
            "a",
            "Aa1b",
            " ",
            ">",
            "data:text/b;base64,AAAAAAAAAAAAAAAAAA\n",
            "0123456789abcdef\n",
            "0123456789abcdef \n>>>> ",
            "ab ",
            "committee\n",
            "committee approves\n",
            "Committee2\n",
            "aB3aB3aB3aB3aB3\n",
            "ab 12 ",
            "12:ab\n",
            "12ab 12ab zz\n",
            "data:text/b;base64,AAAAAAAAAAAAAAAAAA&#43;",
            "ab\n",
            "12 ",
            "12=",
            "12345678 ",
            "1\n",
            "aB3x\n",
            "aB3x\naB3\n",
            "> aB3x\n\n"
        };
        for (String piece : pieces) {
            String text = piece.repeat(size / piece.length());
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> EncodedRuns.replace(text, hash -> {}), piece);
        }
    }

    /** The text decides, not the picture. The digest tells pictures apart. */
    @Test
    void testMailsWithOneLogoAreApartAndWithAnotherPictureNear() {
        for (int width : new int[] {4, 7, 76}) {
            checkMails(width);
        }
    }

    private void checkMails(int width) {
        Fingerprinter fingerprinter = new RecipeBuilder().standard();
        String logo = lines(Base64.getEncoder().encodeToString(bytes(9000)), width, "\n");
        String other = lines(Base64.getEncoder().encodeToString(bytes(9000)), width, "\n");
        String about = "Dear Ms Miller, your order of 14 March left our house today and will reach you on Thursday. "
                + "Please keep the receipt for the guarantee, which lasts for two years.\n\n";
        String different = "Hello Tom, the meeting on the new library moves to room 5 because of the painters. "
                + "Bring the plans of the second floor, and tell Susan that the coffee machine works again.\n\n";
        Fingerprint one = fingerprint(fingerprinter, about + logo);
        assertTrue(distance(one, fingerprint(fingerprinter, different + logo)) > 11);
        assertEquals(0, distance(one, fingerprint(fingerprinter, about + other)));
        assertNotEquals(one.digest(), fingerprint(fingerprinter, about + other).digest());
        assertEquals(
                one.digest(),
                fingerprint(fingerprinter, about + logo.replace("\n", "\r\n")).digest());
    }

    private static Fingerprint fingerprint(Fingerprinter fingerprinter, String text) {
        return fingerprinter.fingerprint(SourceTexts.of(text), bytes -> {});
    }

    private static int distance(Fingerprint a, Fingerprint b) {
        return Fingerprint.distance(a.bits().orElseThrow(), b.bits().orElseThrow());
    }

    /** Whether the text has as many runs, between these texts, and stays as it is then. */
    private static void assertRuns(int runs, String before, String after, String text, String what) {
        List<Long> hashes = new ArrayList<>();
        String replaced = EncodedRuns.replace(text, hashes::add);
        assertEquals(before + EncodedRuns.PLACEHOLDER + after, replaced, what);
        assertEquals(runs, hashes.size());
        WordCutter cutter = new WordCutter(false);
        assertTrue(cutter.look(text) == false || cutter.mayHaveRuns(), what);
        assertSame(replaced, EncodedRuns.replace(replaced, hash -> {}));
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] textOf(int count) {
        return "It was the best of times, it was the worst of times; 1859. "
                .repeat(1 + count / 50)
                .substring(0, count)
                .getBytes(UTF_8);
    }

    /** A picture without compression: white but for some lines. */
    private byte[] pixels(int count) {
        byte[] pixels = new byte[count];
        for (int i = 0; i < count; i++) {
            pixels[i] = (byte) (i % 300 < 150 ? 0xFF : random.nextInt(256));
        }
        return pixels;
    }

    private static String lines(String whole, int width, String lineBreak) {
        return IntStream.iterate(0, from -> from < whole.length(), from -> from + width)
                .mapToObj(from -> whole.substring(from, Math.min(whole.length(), from + width)))
                .collect(Collectors.joining(lineBreak));
    }
}
