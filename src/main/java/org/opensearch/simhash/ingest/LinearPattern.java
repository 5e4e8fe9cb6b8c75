/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.regex.Pattern;

/**
 * Regular expressions that never track back: alternatives of single characters and classes one after the other, of which only the last
 * one may be repeated, as in {@code ,\s*} or {@code [^\p{L}]+|\d}. At each place of a text such an expression fails or has
 * matched after as many steps as it has characters, so that the time for a text is linear. Nobody can end a matcher of the JDK that
 * tracks back.
 */
final class LinearPattern {

    static final int MAX_LENGTH = 100;

    private static final String RULE = "a regular expression of at most " + MAX_LENGTH
            + " characters without groups, that repeats nothing but the last character or class of an alternative";

    /** A character, an escape, or a class without one in it. */
    private static final String ATOM =
            "(?:[^\\\\\\[\\](){}*+?|^$]|\\\\[dDwWsShHvVtnrf]|\\\\[^\\p{L}\\p{N}]|\\\\[pP]\\{\\w{1,30}}"
                    + "|\\[\\^?(?:[^\\\\\\[\\]&^]|\\\\[dDwWsShHvVtnrf]|\\\\[^\\p{L}\\p{N}]|\\\\[pP]\\{\\w{1,30}})++])";

    private static final String ALTERNATIVE = "\\^?" + ATOM + "++(?:[*+?]|\\$)?+";

    private static final Pattern LINEAR = Pattern.compile("(?:" + ALTERNATIVE + ")(?:\\|" + ALTERNATIVE + ")*+");

    private LinearPattern() {}

    /** What such an expression is, for an error. */
    static String rule() {
        return RULE;
    }

    static boolean is(String regex) {
        return regex.length() <= MAX_LENGTH && LINEAR.matcher(regex).matches();
    }
}
