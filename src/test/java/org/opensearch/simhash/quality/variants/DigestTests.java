/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.quality.Fingerprints;
import org.opensearch.simhash.quality.NodeProcessors;
import org.opensearch.simhash.search.ingest.TextProcessor;

/** Texts that differ in a symbol, a sign, a digit or a superscript have different digests; those of equal tokens and symbols have not. */
class DigestTests {

    private static final String COUNTED_PUNCTUATION = "#%‰&*@/\\";
    private static final List<String> WORDS = List.of(
            "tram", "Straße", "l'été", "город", "δρόμος", "世界", "東京", "カメラ", "서울", "مدينة", "עיר", "नगर", "เมือง", "x",
            "7", "2021");
    /** What the symbols' own alphabet is, for random texts whose digests are known: letters, digits, symbols, the rest. */
    private static final List<String> PIECES = List.of(
            "a", "b", "ab", "B", "1", "12", "+", "++", "#", "*", "€", "&", "/", "\\", "@", "%", "=", "<", ">", "^", "|",
            "~", "$", "-1", "−12", " ", "  ", "\n", ", ", "! ", " (", ") ", "; ", " — ", " “", "” ", "… ", "? ");

    private static final Pattern COUNTED = Pattern.compile("[a-z0-9]+|-(?=[0-9])|[+#*€&/\\\\@%=<>^|~$]");

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    @TempDir
    static Path home;

    private static NodeProcessors node;
    private static TextProcessor processor;

    private final Random random = new Random(seed.value());

    @BeforeAll
    static void startNode() throws IOException {
        node = new NodeProcessors(home);
        processor = node.create(Map.of());
    }

    @AfterAll
    static void stopNode() throws IOException {
        node.close();
    }

    @Test
    void testKnownPairsDiffer() {
        List<String> equal = new ArrayList<>();
        for (String[] pair : new String[][] {
            {"3*4", "3/4"},
            {"5 $", "5 €"},
            {"at -80 degrees", "at 80 degrees"},
            {"10⁻³", "10-3"},
            {"H₂O", "HO"},
            {"CO₂", "CO₃"},
            {"m²", "m"},
            {"m²", "m³"},
            {"m²", "m2"},
            {"xⁿ", "xn"},
            {"xⁿ", "x"},
            {"1½", "1"},
            {"1½", "1¼"},
            {"1½", "11/2"},
            {"x ¾", "x ¼"},
            {"x ↉", "x ⅓"},
            {"a>b", "a≥b"},
            {"a = b", "a ≠ b"},
            {"a ∧ b", "a ∨ b"},
            {"5%", "5"},
            {"R&D", "R D"},
            {"a@b", "a b"},
            {"and/or", "and or"},
            {"C:\\temp", "C: temp"},
            {"*p", "p"},
            {"3^2", "32"},
            {"3^2", "3 2"},
            {"~5", "5"},
            {"|x|", "x"},
            {"5°", "5"},
            {"good 👍", "good 👎"},
            {"good 👍", "good"},
            {"good 👍🏻", "good 👍🏿"},
            {"🇫🇷 wins", "🇩🇪 wins"},
            {"★★★ hotel", "★★ hotel"},
            {"© 2021", "2021"},
            {"→ exit", "← exit"},
            {"✓ done", "✗ done"},
            {"a + b c", "a b + c"},
            {"1.5", "15"},
            {"1.5", "1 5"},
            {"10:30", "1030"},
            {"¬a", "a"},
            {"±5", "5"},
            {"5 × 3", "5 ÷ 3"},
            {"√2", "2"},
            {"∞ loop", "loop"},
            {"ab c", "a bc"},
            {"a b", "ab"},
            {"é", "e"},
            {"ё", "е"},
            {"か", "が"},
            {"दिन", "दीन"},
            {"มา", "ม้า"},
            {"¨ a", "a"},
            {"゛ a", "a"},
            {"a", "a +"},
            {"a +", "a ++"},
            {"a +", "a -"},
            {"x ²", "x ³"},
            {"x ¼", "x ½"},
        }) {
            String digest = digest(pair[0]);
            if (digest == null || digest.equals(digest(pair[1]))) {
                equal.add(String.join(" = ", pair));
            }
        }
        assertEquals(List.of(), equal);
    }

    @Test
    void testKnownPairsAreEqual() {
        List<String> different = new ArrayList<>();
        for (String[] pair : new String[][] {
            {"3+4", "3 + 4"},
            {"3+4", "3＋4"},
            {"-80 degrees", "－80 degrees"},
            {"-80 degrees", "‐80 degrees"},
            {"-80 degrees", "‑80 degrees"},
            {"-80 degrees", "﹣80 degrees"},
            {"5 %", "5％"},
            {"R&D", "R＆D"},
            {"a@b", "a＠b"},
            {"#1", "＃1"},
            {"Hello, world!", "hello world"},
            {"(a) [b] {c}", "a b c"},
            {"rock ’n’ roll", "rock 'n' roll"},
            {"don’t", "DON'T"},
            {"Straße: 5 €", "STRASSE: 5 €"},
            {"Straße: 5 €", "Strasse: 5 €"},
            {"große Straße", "GROSSE STRASSE"},
            {"große Straße", "GROẞE STRAẞE"},
            {"Isparta, ışık: 5 €", "ISPARTA, IŞIK: 5 €"},
            {"İzmir: 5 €", "izmir: 5 €"},
            {"ο δρόμος: 5 €", "Ο ΔΡΌΜΟΣ: 5 €"},
            {"ﬀ", "FF"},
            {"ŉ", "ʼN"},
            {"ǆ", "Ǆ"},
            {"“quoted”", "«quoted»"},
            {"“quoted”", "quoted"},
            {"5′", "5'"},
            {"❤️ you", "❤ you"},
            {"a\u200bb", "ab"},
            {"co\u00adoperate", "cooperate"},
            {"ﬁne", "fine"},
            {"café", "cafe\u0301"},
            {"①", "1"},
            {"Ⅷ", "viii"},
            {"ｶﾞ", "ガ"},
        }) {
            if (digest(pair[0]).equals(digest(pair[1])) == false) {
                different.add(String.join(" / ", pair));
            }
        }
        assertEquals(List.of(), different);
    }

    /** Alone and in the same place of a text, each symbol and each counted punctuation has a digest of its own. */
    @Test
    void testATextWithoutWordsHasNone() {
        for (String text : List.of("", " ", "+", "!!!", "⍚ ⋏", "\u200b")) {
            assertNull(digest(text), text);
        }
    }

    @Test
    void testEverySymbolCounts() {
        Map<String, String> symbols = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(DigestTests::isCounted)
                .mapToObj(Character::toString)
                .collect(Collectors.toMap(DigestTests::canonical, symbol -> symbol, (a, b) -> a));
        assertTrue(symbols.size() > 6000, "only " + symbols.size() + " symbols");
        for (String format : List.of("x %s", "a %s b", "a%sb", "%s7", "x%s", "世%s界")) {
            Map<String, String> byDigest = new HashMap<>();
            byDigest.put(digest(format.replace("%s", " ")), "nothing");
            List<String> equal = new ArrayList<>();
            symbols.forEach((canonical, symbol) -> {
                String other = byDigest.putIfAbsent(digest(format.replace("%s", symbol)), symbol);
                if (other != null) {
                    equal.add(name(symbol) + " = " + name(other));
                }
            });
            assertEquals(List.of(), equal, format);
        }
    }

    @Test
    void testOneChangeOfASymbolSignDigitOrSuperscript() {
        int[] symbols = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(DigestTests::isCounted)
                .toArray();
        for (int i = 0; i < 20_000; i++) {
            List<String> pieces = new ArrayList<>();
            for (int length = 2 + random.nextInt(8); pieces.size() < length; ) {
                pieces.add(
                        random.nextInt(3) == 0
                                ? Character.toString(symbols[random.nextInt(symbols.length)])
                                : WORDS.get(random.nextInt(WORDS.size())));
            }
            int place = random.nextInt(pieces.size());
            List<String> changed = new ArrayList<>(pieces);
            switch (random.nextInt(4)) {
                case 0 -> changed.add(place, Character.toString(symbols[random.nextInt(symbols.length)]));
                case 1 -> {
                    pieces.set(place, "-" + (10 + random.nextInt(90)));
                    changed.set(place, pieces.get(place).substring(1));
                }
                case 2 -> {
                    int number = 100 + random.nextInt(800);
                    pieces.set(place, Integer.toString(number));
                    changed.set(place, Integer.toString(number + 1 + random.nextInt(99)));
                }
                default -> {
                    String letter = WORDS.get(random.nextInt(WORDS.size()));
                    int digit = random.nextInt(6);
                    pieces.set(place, letter + "⁴⁵⁶⁷⁸⁹".charAt(digit));
                    changed.set(place, letter + (random.nextBoolean() ? "456789" : "₄₅₆₇₈₉⁹").charAt(digit));
                    if (random.nextInt(3) == 0) {
                        changed.set(place, letter);
                    }
                }
            }
            // A text of symbols alone has no words, and no digest.
            String text = "word " + String.join(" ", pieces);
            String other = "word " + String.join(" ", changed);
            if (canonical(text).equals(canonical(other)) == false) {
                assertNotEquals(digest(text), digest(other), () -> text + " = " + other);
            }
        }
    }

    /** Two digests are equal if and only if the words and the counted symbols are. */
    @Test
    void testRandomTextsWithKnownContent() {
        Map<String, String> textByContent = new HashMap<>();
        Map<String, String> contentByDigest = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = 1 + random.nextInt(6); length > 0; length--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            String content = content(text.toString());
            if (content.chars().anyMatch(Character::isLetterOrDigit)) {
                String other = textByContent.putIfAbsent(content, text.toString());
                if (other != null) {
                    assertEquals(digest(other), digest(text.toString()), () -> other + " and " + text);
                }
                String contentOfSame = contentByDigest.putIfAbsent(digest(text.toString()), content);
                assertTrue(
                        contentOfSame == null || contentOfSame.equals(content),
                        () -> text + " has the digest of " + contentOfSame);
            }
        }
    }

    private static String content(String text) {
        return COUNTED.matcher(text.toLowerCase(Locale.ROOT).replace('−', '-'))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining("\n"));
    }

    /** Accents that stand alone are apostrophes. */
    private static boolean isCounted(int c) {
        boolean isSymbol = switch (Character.getType(c)) {
            case Character.MATH_SYMBOL, Character.CURRENCY_SYMBOL, Character.OTHER_SYMBOL -> true;
            case Character.MODIFIER_SYMBOL ->
                "`´｀˝".indexOf(c) < 0 && Character.getName(c).contains("GREEK") == false;
            default -> COUNTED_PUNCTUATION.indexOf(c) >= 0;
        };
        return isSymbol && Character.isIdentifierIgnorable(c) == false && isQuotationMark(c) == false;
    }

    /** Ornaments. */
    private static boolean isQuotationMark(int c) {
        return Character.getName(c).contains("QUOTATION MARK");
    }

    private static String canonical(String text) {
        return Normalizer.normalize(text, Form.NFKC)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\p{Cf}|[\ufe00-\ufe0f]", "")
                        .replaceAll("[\\p{P}&&[^-#%‰&*@/\\\\]]", "")
                        .strip()
                + "\n"
                + text.chars()
                        .filter(c -> "⁴⁵⁶⁷⁸⁹₄₅₆₇₈₉".indexOf(c) >= 0)
                        .mapToObj(Character::toString)
                        .toList();
    }

    private static String name(String symbol) {
        return symbol + " " + Character.getName(symbol.codePointAt(0));
    }

    private static String digest(String text) {
        return (String) Fingerprints.process(text, null, processor).get(FingerprintFields.DIGEST);
    }
}
