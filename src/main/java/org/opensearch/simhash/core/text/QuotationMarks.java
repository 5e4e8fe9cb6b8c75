/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import java.util.Arrays;

/**
 * All forms of apostrophes and quotation marks: Unicode's property {@code Quotation_Mark}, primes, accents typed as
 * apostrophes, modifier letters of transliterations, Greek breathings, Hebrew geresh and gershayim, the Armenian
 * apostrophe, ornaments. Tone marks stay: modifier accents behind Bopomofo letters, and those of N'Ko.
 */
public final class QuotationMarks {

    public static final char APOSTROPHE = '\'';
    static final char QUOTATION_MARK = '"';

    /** Ascending. Single quotation marks are included. */
    private static final char[] APOSTROPHES = sorted(
            "`\u00B4\u02B9\u02BB\u02BC\u02BD\u02BE\u02BF\u02C8\u0374\u0384\u0559\u055A"
                    + "\u05F3\u1FBD\u1FBF\u1FEF\u1FFD\u1FFE\u2018\u2019\u201A\u201B\u2032\u2035\u275B\u275C\u275F\uA78B\uA78C\uFF07\uFF40");

    private static final char[] QUOTATION_MARKS = sorted(
            "\u00AB\u00BB\u02BA\u02DD\u02EE\u05F4\u201C\u201D\u201E\u201F\u2033\u2034\u2036\u2037\u2039\u203A\u2057"
                    + "\u275D\u275E\u2760\u276E\u276F\u2E42\u300C\u300D\u300E\u300F\u301D\u301E\u301F\uFE41\uFE42\uFE43\uFE44"
                    + "\uFF02\uFF62\uFF63");

    /** Ornaments outside the first plane. */
    private static final int FIRST_ORNAMENT = 0x1F676;

    private static final int LAST_ORNAMENT = 0x1F678;

    private QuotationMarks() {}

    /** The plain apostrophe or quotation mark of a character; itself if it is neither. */
    public static int plain(int c) {
        if (c < 0xAB && c != '`') {
            return c;
        }
        if (c <= Character.MAX_VALUE) {
            if (Arrays.binarySearch(APOSTROPHES, (char) c) >= 0) {
                return APOSTROPHE;
            }
            return Arrays.binarySearch(QUOTATION_MARKS, (char) c) >= 0 ? QUOTATION_MARK : c;
        }
        return c >= FIRST_ORNAMENT && c <= LAST_ORNAMENT ? QUOTATION_MARK : c;
    }

    /** Whether a character is an apostrophe that may also be a tone mark. */
    static boolean isAccent(int c) {
        return c == 0x02CA || c == 0x02CB;
    }

    /** Whether an accent behind this character is a tone mark. */
    static boolean hasTones(int c) {
        return (c >= 0x3105 && c <= 0x312F) || (c >= 0x31A0 && c <= 0x31BF);
    }

    private static char[] sorted(String characters) {
        char[] sorted = characters.toCharArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
