/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.text.Folding;

/** The code points of a text, trimmed, with each run of white space as one space. */
final class CodePoints {

    private static final int SPACE = ' ';
    private static final int FIRST_AFTER_ASCII = 0x80;

    private CodePoints() {}

    /** Length of {@link #collapsed}. */
    static int length(String text) {
        return collapse(text, null);
    }

    /** The code points; null if there are more than {@code max}. */
    static int[] collapsed(String text, int max) {
        int[] points = new int[Math.min(text.length(), max)];
        int length = collapse(text, points);
        if (length < 0) {
            return null;
        }
        return length == points.length ? points : Arrays.copyOf(points, length);
    }

    /** Writes to {@code points} unless it is null. Returns the number of code points, or -1 if there is no room. */
    private static int collapse(String text, int[] points) {
        int length = 0;
        boolean space = false;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (isWhiteSpace(c)) {
                space = length > 0;
                continue;
            }
            int begin = length;
            length += space ? 2 : 1;
            if (points != null) {
                if (length > points.length) {
                    return -1;
                }
                points[begin] = SPACE;
                points[length - 1] = c;
            }
            space = false;
        }
        return length;
    }

    private static boolean isWhiteSpace(int c) {
        boolean printableAscii = SPACE < c && c < FIRST_AFTER_ASCII;
        return printableAscii == false && (Character.isWhitespace(c) || Character.isSpaceChar(c));
    }

    /** Whether texts are equal after folding, with each run of white space as one space. */
    static boolean areEqual(String text, String other, LongConsumer memory) {
        // Again, if white space was collapsed.
        memory.accept(
                2L * (Integer.BYTES + Folding.MAX_EXPANSION * Character.BYTES) * (text.length() + other.length()));
        return Arrays.equals(
                collapsed(Folding.LETTERS.of(text), Integer.MAX_VALUE),
                collapsed(Folding.LETTERS.of(other), Integer.MAX_VALUE));
    }
}
