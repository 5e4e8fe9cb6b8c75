/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/**
 * Characters whose sequence must be equal in both texts, such as digits, letters and operators in a question bank. "A
 * is 10 more than B" and "B is 10 less than A" are not duplicates; word problems that differ in a name are.
 *
 * <p>Written as one regular expression class, {@code [0-9A-Za-z+=]}. A class matches one code point, so splitting a
 * text is linear for any class. Longer expressions are refused. Thread-safe.
 */
public final class StrictCharacters {

    /** Escapes allowed in a class. Not \c, \Q, \E, \N: they may hide a bracket. */
    private static final String ESCAPED_LETTERS = "dDwWsShHvVpPtnrfaeux0";

    private static final Pattern PREDEFINED = Pattern.compile("\\\\[dDwWsShHvV]|\\\\[pP]\\{[\\w=]+}");

    /** The JDK nests the parts of a class, so a long class would overflow the stack. */
    static final int MAX_LENGTH = 1000;

    /** Characters between two checks. */
    private static final int CHECKED = 4096;

    private static final int BLOCK = 256;
    private static final byte MEMBER = 1;
    private static final byte OTHER = 2;

    private final String regex;
    /** Matches single code points. The JDK tests the parts of a class in turn: 8 us for 990 characters. */
    private final Pattern characters;

    /** By block of code points, what was asked about: 1.1 MB for all of Unicode. Threads may fill in the same at once. */
    private final byte[][] known = new byte[(Character.MAX_CODE_POINT + 1) / BLOCK][];

    public StrictCharacters(String regex) {
        this.regex = regex;
        TypedNumber.requireAtMost("[strict_characters]", MAX_LENGTH, "characters", regex.length());
        if (isOneClass(regex) == false) {
            throw new IllegalArgumentException(
                    "[strict_characters] must be one regular expression class such as [0-9A-Za-z], got: " + regex);
        }
        try {
            this.characters = Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            // Without a cause: users see the innermost message, which names no option.
            throw new IllegalArgumentException("[strict_characters] must be a valid regular expression class ("
                    + e.getDescription() + "), got: " + regex);
        }
    }

    /** Separates sequences; normalised texts do not contain it. */
    private static final char SEPARATOR = '\0';

    /** The parts of a text: sequences of strict characters, joined by {@link #SEPARATOR}, and the other characters. */
    public record Split(String strict, String rest) {

        private static final Pattern NO_LETTERS = Pattern.compile("[^\\p{L}\\p{Nd}\\p{Mn}\\p{Mc}]+");

        /** Without what is no letter: where characters are compared one by one, a dot more is no word more. */
        Split ofLetters() {
            return new Split(strict, NO_LETTERS.matcher(rest).replaceAll(""));
        }
    }

    /**
     * Splits {@code text} in one pass. "A比B大10" gives "A", "B", "10" and "比大". White space does not end a sequence ("x
     * + 1" is "x+1"); every other character does: 19.8 is not 198.
     */
    public Split split(String text, Runnable checkCancelled) {
        Matcher matcher = characters.matcher("");
        StringBuilder strict = new StringBuilder();
        StringBuilder rest = new StringBuilder(text.length());
        boolean isInterrupted = false;
        int next = 0;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            if (i >= next) {
                checkCancelled.run();
                next = i + CHECKED;
            }
            c = text.codePointAt(i);
            if (isMember(c, matcher)) {
                if (isInterrupted && strict.isEmpty() == false) {
                    strict.append(SEPARATOR);
                }
                strict.appendCodePoint(c);
                isInterrupted = false;
            } else {
                rest.appendCodePoint(c);
                isInterrupted |= Character.isWhitespace(c) == false;
            }
        }
        return new Split(strict.toString(), rest.toString());
    }

    private boolean isMember(int codePoint, Matcher matcher) {
        byte[] block = known[codePoint / BLOCK];
        if (block == null) {
            block = new byte[BLOCK];
            known[codePoint / BLOCK] = block;
        }
        byte isMember = block[codePoint % BLOCK];
        if (isMember == 0) {
            isMember = matcher.reset(Character.toString(codePoint)).matches() ? MEMBER : OTHER;
            block[codePoint % BLOCK] = isMember;
        }
        return isMember == MEMBER;
    }

    /**
     * Whether the first bracket closeswith the last character. A bracket right after the opening one is counted too;
     * the compiler's exception for it can only make the class close later, or never.
     */
    private static boolean isOneClass(String regex) {
        if (regex.startsWith("[") == false) {
            return PREDEFINED.matcher(regex).matches();
        }
        int depth = 0;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c == '\\') {
                i++;
                if (i == regex.length() || isAllowedEscape(regex.charAt(i)) == false) {
                    return false;
                }
            } else if (c == '[') {
                depth++;
            } else if (c == ']') {
                depth--;
                if (depth == 0) {
                    return i == regex.length() - 1;
                }
            }
        }
        return false;
    }

    private static boolean isAllowedEscape(char c) {
        return Character.isLetterOrDigit(c) == false || ESCAPED_LETTERS.indexOf(c) >= 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StrictCharacters that && regex.equals(that.regex);
    }

    @Override
    public int hashCode() {
        return regex.hashCode();
    }

    @Override
    public String toString() {
        return regex;
    }
}
