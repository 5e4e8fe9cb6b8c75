/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Characters that must be the same, in the same order, in both texts: in a question bank the digits, letters and operators.
 * "A is 10 more than B" and "B is 10 less than A" are not duplicates; word problems that differ in a name are.
 *
 * <p>Written as one regular expression class, {@code [0-9A-Za-z+=]}. A class matches one code point, so that the time to
 * split a text is linear whatever the user writes, and the same for each class once its characters were seen; a longer expression
 * is refused. Safe for threads.
 */
public final class StrictCharacters {

    /** Escapes that are a class, or one character, in a class. Not \c, \Q, \E, \N: they may hide a bracket. */
    private static final String ESCAPED_LETTERS = "dDwWsShHvVpPtnrfaeux0";

    private static final Pattern PREDEFINED = Pattern.compile("\\\\[dDwWsShHvV]|\\\\[pP]\\{[\\w=]+}");

    /** The JDK asks what stands in a class one after the other, each within the one before: a long class ends the stack. */
    static final int MAX_LENGTH = 1000;

    /** Characters of a text between two looks whether to go on. */
    private static final int CHECKED = 4096;

    private final String regex;
    private final CharacterClass characters;

    /**
     * Compiles the class.
     *
     * @throws IllegalArgumentException when {@code regex} is not one character class, or a long one
     */
    public StrictCharacters(String regex) {
        this.regex = regex;
        if (regex.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "[strict_characters] must have at most " + MAX_LENGTH + " characters, got: " + regex.length());
        }
        if (isOneClass(regex) == false) {
            throw new IllegalArgumentException(
                    "[strict_characters] must be one regular expression class such as [0-9A-Za-z], got: " + regex);
        }
        try {
            this.characters = new CharacterClass(Pattern.compile(regex));
        } catch (PatternSyntaxException e) {
            // Not as the cause: of several errors the innermost is shown, and this one names no option.
            throw new IllegalArgumentException("[strict_characters] must be a valid regular expression class ("
                    + e.getDescription() + "), got: " + regex);
        }
    }

    /** Between two sequences; normalised texts have no such character. */
    private static final char SEPARATOR = '\0';

    /**
     * A text taken apart.
     *
     * @param strict the sequences of strict characters in their order, {@link #SEPARATOR} between them
     * @param rest what is left without them
     */
    public record Split(String strict, String rest) {}

    /**
     * Takes {@code text} apart, in one pass. "A比B大10" gives "A", "B", "10" and "比大". White space does not end a sequence:
     * "x + 1" is "x+1". Anything else does: 19.8 is not 198.
     *
     * @param checkCancelled is run every {@value #CHECKED} characters; what it throws ends the work
     */
    public Split split(String text, Runnable checkCancelled) {
        CharacterClass.Members members = characters.members();
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
            if (members.contains(c)) {
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

    /**
     * Whether the first bracket closes with the last character. Brackets are counted without the exceptions that the
     * compiler makes for a bracket right after the opening one; those only make it close later, or never.
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
