/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import org.jsoup.nodes.Entities;

/**
 * Decodes character references such as &amp;eacute; or &amp;#233; or &amp;#xE9; for an é, as the HTML standard says:
 * old names also without semicolon, numbers 128 to 159 as windows-1252. Other text stays. Linear.
 */
final class CharacterReferences {

    /** The longest name is {@code CounterClockwiseContourIntegral}. */
    private static final int LONGEST_NAME = 31;

    /** Longest name without semicolon. A letter may follow it directly. */
    private static final int LONGEST_OLD_NAME = "yacute".length();

    private static final char REPLACEMENT = '\uFFFD';

    /** Windows-1252 at 128 to 159. Unassigned places are control characters. */
    private static final String WINDOWS_1252 =
            "\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F"
                    + "\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178";

    private CharacterReferences() {}

    static String decode(String html, int start, int end) {
        int reference = html.indexOf('&', start, end);
        if (reference < 0) {
            return html.substring(start, end);
        }
        StringBuilder decoded = new StringBuilder(end - start);
        int copied = start;
        while (reference >= 0 && reference < end - 1) {
            decoded.append(html, copied, reference);
            copied = html.charAt(reference + 1) == '#'
                    ? decodeNumber(html, reference, end, decoded)
                    : decodeName(html, reference, end, decoded);
            reference = html.indexOf('&', copied, end);
        }
        return decoded.append(html, copied, end).toString();
    }

    /** Appends the character of a reference, or its ampersand if there is none. Returns where to continue. */
    private static int decodeName(String html, int at, int end, StringBuilder decoded) {
        int nameEnd = at + 1;
        int limit = Math.min(end, nameEnd + LONGEST_NAME);
        while (nameEnd < limit && isAsciiLetterOrDigit(html.charAt(nameEnd))) {
            nameEnd++;
        }
        if (nameEnd < end && html.charAt(nameEnd) == ';') {
            String name = html.substring(at + 1, nameEnd);
            if (Entities.isNamedEntity(name)) {
                decoded.append(Entities.getByName(name));
                return nameEnd + 1;
            }
        }
        for (int oldEnd = Math.min(nameEnd, at + 1 + LONGEST_OLD_NAME); oldEnd > at + 2; oldEnd--) {
            String name = html.substring(at + 1, oldEnd);
            if (Entities.isBaseNamedEntity(name)) {
                decoded.append(Entities.getByName(name));
                return oldEnd;
            }
        }
        decoded.append('&');
        return at + 1;
    }

    private static int decodeNumber(String html, int at, int end, StringBuilder decoded) {
        int digits = at + 2;
        int radix = 10;
        if (digits < end && (html.charAt(digits) | 0x20) == 'x') {
            digits++;
            radix = 16;
        }
        int position = digits;
        int codePoint = 0;
        while (position < end && isAsciiLetterOrDigit(html.charAt(position))) {
            int digit = Character.digit(html.charAt(position), radix);
            if (digit < 0) {
                break;
            }
            codePoint = Math.min(codePoint * radix + digit, Character.MAX_CODE_POINT + 1);
            position++;
        }
        if (position == digits) {
            decoded.append('&');
            return at + 1;
        }
        if (codePoint >= 0x80 && codePoint < 0x80 + WINDOWS_1252.length()) {
            decoded.append(WINDOWS_1252.charAt(codePoint - 0x80));
        } else if (codePoint == 0
                || codePoint > Character.MAX_CODE_POINT
                || Character.getType(codePoint) == Character.SURROGATE) {
            decoded.append(REPLACEMENT);
        } else {
            decoded.appendCodePoint(codePoint);
        }
        return position < end && html.charAt(position) == ';' ? position + 1 : position;
    }

    private static boolean isAsciiLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
