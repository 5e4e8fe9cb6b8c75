/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import java.util.Arrays;

/**
 * One form for characters that read alike. Applies {@link Compatibility} and {@link QuotationMarks}. Removes characters
 * without a width: control and format characters, soft hyphens, byte order marks, variation selectors, Arabic tatweel,
 * lone surrogates. Tabs and line breaks stay; line separators become line breaks. Rare separators become spaces, and so
 * does a zero-width space that {@link #joinZeroWidth} leaves.
 *
 * <p>NFKC and character types come from the JDK, so a newer JDK may read new characters differently. Runs of combining marks are cut after
 * {@value #MAX_COMBINING_MARKS} (the stream-safe format of UAX #15): canonical reordering is quadratic in the run. So the cost is linear.
 */
public final class NormalForm {

    static final int MAX_COMBINING_MARKS = 30;

    static final char ZERO_WIDTH_SPACE = 0x200B;

    /** Thai. */
    private static final int FIRST_WITHOUT_SPACES = 0x0E00;

    /** Closed ranges, ascending: Cf, default-ignorable code points and tatweel, of Unicode 16. */
    private static final int[] INVISIBLE = {
        0x00AD, 0x00AD, 0x034F, 0x034F, 0x0600, 0x0605, 0x061C, 0x061C, 0x0640, 0x0640, 0x06DD, 0x06DD, 0x070F, 0x070F,
        0x0890, 0x0891, 0x08E2, 0x08E2, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x200C, 0x200F, 0x202A, 0x202E,
        0x2060, 0x206F, 0x3164, 0x3164, 0xD800, 0xDFFF, 0xFE00, 0xFE0F, 0xFEFF, 0xFEFF, 0xFFA0, 0xFFA0, 0xFFF0, 0xFFFB,
        0x110BD, 0x110BD, 0x110CD, 0x110CD, 0x13430, 0x1343F, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF,
    };

    private NormalForm() {}

    /**
     * Removes zero-width spaces, which nobody sees, but for those beside a letter of a script without spaces, where they
     * set words apart. The same instance if nothing changes.
     */
    static String joinZeroWidth(String text) {
        int space = text.indexOf(ZERO_WIDTH_SPACE);
        if (space < 0) {
            return text;
        }
        StringBuilder joined = new StringBuilder(text.length());
        int done = 0;
        for (; space >= 0; space = text.indexOf(ZERO_WIDTH_SPACE, done)) {
            int begin = space;
            while (begin > done && isUnseen(text.charAt(begin - 1))) {
                begin--;
            }
            joined.append(text, done, space);
            int end = space;
            for (; end < text.length() && isUnseen(text.charAt(end)); end++) {
                if (text.charAt(end) != ZERO_WIDTH_SPACE) {
                    joined.append(text.charAt(end));
                }
            }
            if ((begin > 0 && isWithoutSpaces(text.codePointBefore(begin)))
                    || (end < text.length() && isWithoutSpaces(text.codePointAt(end)))) {
                joined.append(' ');
            }
            done = end;
        }
        return joined.append(text, done, text.length()).toString();
    }

    private static boolean isUnseen(char c) {
        return c == ZERO_WIDTH_SPACE || (isInvisible(c) && Character.isSurrogate(c) == false);
    }

    private static boolean isWithoutSpaces(int c) {
        return c >= FIRST_WITHOUT_SPACES
                && switch (Character.UnicodeScript.of(c)) {
                    case THAI,
                            LAO,
                            KHMER,
                            MYANMAR,
                            TAI_LE,
                            NEW_TAI_LUE,
                            TAI_THAM,
                            TAI_VIET,
                            AHOM,
                            JAVANESE,
                            BALINESE,
                            TIBETAN,
                            HAN,
                            HIRAGANA,
                            KATAKANA,
                            BOPOMOFO,
                            YI -> true;
                    default -> false;
                };
    }

    /** Idempotent. */
    static String of(String text) {
        String composed = Compatibility.compose(strip(text));
        // A compatibility form may hold a removed character: U+FE71 is a tatweel with a mark.
        return Compatibility.compose(strip(composed));
    }

    /** Whether the forms of a character and its successors are independent of what precedes it. */
    public static boolean isIndependent(char c) {
        if (joins(c)) {
            return false;
        }
        String normalized = of(String.valueOf(c));
        return normalized.isEmpty() == false && joins(normalized.charAt(0)) == false;
    }

    /** Marks and Hangul letters compose with what precedes them, accents may be tone marks, unknown characters may do either. */
    static boolean joins(int c) {
        return Character.isDefined(c) == false
                || Character.getType(c) == Character.SURROGATE
                || isCountedInRun(c)
                || isHangulLetter(c)
                || QuotationMarks.isAccent(c);
    }

    private static boolean isHangulLetter(int c) {
        return (c >= 0x1100 && c <= 0x11FF) || (c >= 0xA960 && c <= 0xA97F) || (c >= 0xD7B0 && c <= 0xD7FF);
    }

    private static String strip(String text) {
        StringBuilder kept = null;
        int marks = 0;
        int before = 0;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            boolean visible = isInvisible(c) == false;
            if (visible) {
                marks = isCountedInRun(c) ? marks + 1 : 0;
            }
            boolean keep = visible && marks <= MAX_COMBINING_MARKS;
            int becomes = QuotationMarks.isAccent(c) && QuotationMarks.hasTones(before) == false
                    ? QuotationMarks.APOSTROPHE
                    : plain(c);
            if (kept == null && (keep == false || becomes != c)) {
                kept = new StringBuilder(text.length()).append(text, 0, i);
            }
            if (keep && kept != null) {
                kept.appendCodePoint(becomes);
            }
            before = visible ? becomes : before;
        }
        return kept == null ? text : kept.toString();
    }

    private static boolean isLineOrTab(int c) {
        return c == '\n' || c == '\t' || c == '\r';
    }

    private static boolean isRareSeparator(int c) {
        return (c >= 0x1C && c <= 0x1F) || c == ZERO_WIDTH_SPACE;
    }

    /** Separators of lines, pages and paragraphs. */
    static boolean isLineSeparator(int c) {
        return c == 0x0B || c == 0x0C || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    private static int plain(int c) {
        if (isRareSeparator(c)) {
            return ' ';
        }
        return isLineSeparator(c) ? '\n' : QuotationMarks.plain(c);
    }

    private static boolean isInvisible(int c) {
        if (c < 0xAD) {
            boolean control = c < ' ' || (c >= 0x7F && c < 0xA0);
            return control && isLineOrTab(c) == false && isRareSeparator(c) == false && isLineSeparator(c) == false;
        }
        if ((c > 0xAD && c < 0x34F) || (c > 0x3164 && c < 0xD800)) {
            return false;
        }
        return isIn(INVISIBLE, c);
    }

    /**
     * Whether a character is reordered among preceding marks or composes with them: marks, half-width sound marks,
     * vowel signs of Kirat Rai. Newer ones are listed, since the JDK does not know their type.
     */
    public static boolean isCountedInRun(int c) {
        if (c < 0x300) {
            return false;
        }
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK
                || c == 0xFF9E
                || c == 0xFF9F
                || c == 0x16D67
                || c == 0x16D68;
    }

    /** Whether a character is in one of some closed ranges, which ascend. */
    public static boolean isIn(int[] ranges, int c) {
        int found = Arrays.binarySearch(ranges, c);
        return found >= 0 || (found & 1) == 0; // behind the begin of a range
    }
}
