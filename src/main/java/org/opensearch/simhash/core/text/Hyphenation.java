/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Joins words that a line break cuts: after a soft hyphen before any letter, after a hyphen between letters before a lowercase letter. One
 * line break is allowed, with spaces and tabs around it. A compound whose own hyphen ends a line is joined too. Linear.
 */
public final class Hyphenation {

    private static final char SOFT_HYPHEN = '\u00AD';
    private static final char HYPHEN = '\u2010';
    /** Characters. Most texts have line breaks of one kind: a look for the other kind ends here. */
    private static final int AHEAD = 256;

    private Hyphenation() {}

    /** Joins at soft hyphens in a raw text; the same instance if nothing changes. */
    static String joinSoft(String text) {
        return join(text, from -> text.indexOf(SOFT_HYPHEN, from), Character::isLetter);
    }

    /** Joins at hyphens in a normalised text; the same instance if nothing changes. */
    static String join(String text) {
        return join(text, from -> nextHyphen(text, from), c -> Character.isLowerCase(c) && Character.isLetter(c));
    }

    /** @param nextHyphen from a place on; all soft ones of a run join, or none */
    private static String join(String text, IntUnaryOperator nextHyphen, IntPredicate mayFollow) {
        StringBuilder joined = null;
        int done = 0;
        int end = 0;
        for (int hyphen = nextHyphen.applyAsInt(0); hyphen >= 0; hyphen = nextHyphen.applyAsInt(Math.max(done, end))) {
            end = skipBlanks(text, hyphen + 1);
            int next = behindBreak(text, end);
            if (next > 0 && next < text.length() && mayFollow.test(text.codePointAt(next)) && endsWord(text, hyphen)) {
                joined = joined == null ? new StringBuilder(text.length()) : joined;
                joined.append(text, done, hyphen);
                done = next;
            }
        }
        return joined == null ? text : joined.append(text, done, text.length()).toString();
    }

    /** Whether {@link #join} may change a text with this line break, if it is the first one behind a hyphen. */
    public static boolean mayJoin(char[] text, int lineBreak) {
        int i = lineBreak - 1;
        while (i >= 0 && isBlank(text[i])) {
            i--;
        }
        return i > 0 && isHyphen(text[i]);
    }

    public static boolean isLineBreak(char c) {
        return c == '\n' || c == '\r';
    }

    /** The next hyphen from {@code from} on that may end a line; -1 if none. */
    private static int nextHyphen(String text, int from) {
        // Line breaks are rarer than hyphens.
        for (int lineBreak = nextBreak(text, from); lineBreak >= 0; lineBreak = nextBreak(text, lineBreak + 1)) {
            int i = lineBreak - 1;
            while (i >= from && isBlank(text.charAt(i))) {
                i--;
            }
            if (i >= from && isHyphen(text.charAt(i))) {
                return i;
            }
        }
        return -1;
    }

    private static int nextBreak(String text, int from) {
        for (int begin = from; begin < text.length(); begin += AHEAD) {
            int end = Math.min(text.length(), begin + AHEAD);
            int feed = text.indexOf('\n', begin, end);
            int carriage = text.indexOf('\r', begin, feed < 0 ? end : feed);
            if (feed >= 0 || carriage >= 0) {
                return carriage < 0 ? feed : carriage;
            }
        }
        return -1;
    }

    /** Where the text continues after exactly one line break; -1 otherwise. */
    private static int behindBreak(String text, int from) {
        int i = skipBlanks(text, from);
        if (i == text.length() || isAnyBreak(text.charAt(i)) == false) {
            return -1;
        }
        i += text.startsWith("\r\n", i) ? 2 : 1;
        return skipBlanks(text, i);
    }

    private static int skipBlanks(String text, int from) {
        int i = from;
        while (i < text.length() && (isBlank(text.charAt(i)) || text.charAt(i) == SOFT_HYPHEN)) {
            i++;
        }
        return i;
    }

    private static boolean endsWord(String text, int end) {
        int i = end;
        while (i > 0 && text.charAt(i - 1) == SOFT_HYPHEN) {
            i--;
        }
        if (i == 0) {
            return false;
        }
        int before = text.codePointBefore(i);
        return Character.isLetter(before) || NormalForm.isCountedInRun(before);
    }

    private static boolean isHyphen(char c) {
        return c == '-' || c == HYPHEN;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\u00A0';
    }

    private static boolean isAnyBreak(char c) {
        return isLineBreak(c) || NormalForm.isLineSeparator(c);
    }
}
