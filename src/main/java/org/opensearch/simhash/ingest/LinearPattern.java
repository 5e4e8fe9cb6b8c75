/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.regex.Pattern;

/**
 * Regular expressions without backtracking: alternatives of characters and classes in sequence, of which only the last
 * may be repeated, as in {@code ,\s*} or {@code [^\p{L}]+|\d}. At each place the number of steps is bounded by the
 * expression, so matching is linear. A backtracking matcher of the JDK cannot be stopped.
 */
final class LinearPattern {

    static final int MAX_LENGTH = 100;

    private static final String RULE = "a regular expression of at most " + MAX_LENGTH
            + " characters without groups, that repeats nothing but the last character or class of an alternative";

    /** A character, an escape, or a class without nested classes. */
    private static final String ATOM =
            "(?:[^\\\\\\[\\](){}*+?|^$]|\\\\[dDwWsShHvVtnrf]|\\\\[^\\p{L}\\p{N}]|\\\\[pP]\\{\\w{1,30}}"
                    + "|\\[\\^?(?:[^\\\\\\[\\]&^]|\\\\[dDwWsShHvVtnrf]|\\\\[^\\p{L}\\p{N}]|\\\\[pP]\\{\\w{1,30}})++])";

    private static final String ALTERNATIVE = "\\^?" + ATOM + "++(?:[*+?]|\\$)?+";

    private static final Pattern LINEAR = Pattern.compile("(?:" + ALTERNATIVE + ")(?:\\|" + ALTERNATIVE + ")*+");

    private LinearPattern() {}

    /** The rule, for errors. */
    static String rule() {
        return RULE;
    }

    static boolean is(String regex) {
        return regex.length() <= MAX_LENGTH && LINEAR.matcher(regex).matches();
    }
}
