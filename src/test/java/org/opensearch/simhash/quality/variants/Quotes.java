/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The same text with other apostrophes and other quotation marks. */
final class Quotes {

    private static final Pattern APOSTROPHE = Pattern.compile("(?<=[\\p{L}\\p{M}])'");
    private static final Pattern DOUBLE_IN_A_WORD = Pattern.compile("(?<=\\p{L})\"(?=\\p{L})");
    private static final Pattern QUOTED = Pattern.compile("[\"「]([^\"」]*)[\"」]");

    /**
     * Typographic ones, primes, accents that stand alone, modifier letters, geresh, those of Armenian and Greek,
     * full-width ones, ornaments.
     */
    private static final int[] APOSTROPHES = {
        0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0x2035, 0x00B4, 0x0060, 0x02B9, 0x02BB, 0x02BC, 0x02BD, 0x02BE, 0x02BF,
        0x0374, 0x0384, 0x055A, 0x05F3, 0x1FBD, 0x1FBF, 0x1FEF, 0x1FFD, 0x1FFE, 0xA78B, 0xA78C, 0xFF07, 0xFF40, 0x275B,
        0x275C
    };

    /** In one word, between its last letters. */
    private static final int[] IN_HEBREW_ABBREVIATIONS = {0x05F4, 0x201C, 0x201D, 0x201E, 0x2033, 0x02BA, 0xFF02};

    /** Opening, closing. */
    private static final List<String> PAIRS = List.of(
            "“ ”",
            "„ “",
            "„ ”",
            "” ”",
            "» «",
            "« »",
            "« » spaced",
            "‹ ›",
            "‘ ’",
            "‚ ‘",
            "' '",
            "` `",
            "`` ''",
            "´´ ´´",
            "″ ″",
            "〝 〞",
            "〝 〟",
            "「 」",
            "『 』",
            "｢ ｣",
            "＂ ＂",
            "❝ ❞",
            "❛ ❜",
            "‟ ”",
            "ʺ ʺ",
            "״ ״",
            "《 》",
            "〈 〉",
            "⹂ ⹂",
            "🙶 🙷");

    private Quotes() {}

    static Stream<Variant> of(VariantText text) {
        String straight = QUOTED.matcher(text.text()).replaceAll("\"$1\"");
        VariantText withStraight = text.with(straight);
        return Stream.of(
                        Arrays.stream(APOSTROPHES)
                                .mapToObj(form -> withStraight.same(
                                        "apostrophes", name(form), replace(APOSTROPHE, straight, form))),
                        Arrays.stream(IN_HEBREW_ABBREVIATIONS)
                                .mapToObj(form -> withStraight.same(
                                        "gershayim", name(form), replace(DOUBLE_IN_A_WORD, straight, form))),
                        PAIRS.stream().map(pair -> withStraight.same("quotation marks", pair, quoted(straight, pair))))
                .flatMap(variants -> variants);
    }

    private static String name(int form) {
        return String.format(Locale.ROOT, "U+%04X %s", form, Character.getName(form));
    }

    private static String replace(Pattern pattern, String text, int form) {
        return pattern.matcher(text).replaceAll(Character.toString(form));
    }

    private static String quoted(String text, String pair) {
        String[] marks = pair.split(" ", -1);
        String space = marks.length > 2 ? "\u00a0" : "";
        // Abbreviations keep their gershayim: those are no quotation.
        String kept = DOUBLE_IN_A_WORD.matcher(text).replaceAll("\u05f4");
        String quoted = QUOTED.matcher(kept).replaceAll(marks[0] + space + "$1" + space + marks[1]);
        return quoted.replace('\u05f4', '"');
    }
}
