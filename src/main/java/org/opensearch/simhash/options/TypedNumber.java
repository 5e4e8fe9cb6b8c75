/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.options;

import java.math.BigDecimal;

/** A number that came as text, of any length: the time to read one grows with the square of its digits. */
public final class TypedNumber {

    /** More than any number of an option needs. */
    static final int MAX_LENGTH = 64;

    private TypedNumber() {}

    /**
     * The number.
     *
     * @throws NumberFormatException when the text is none, or has more than {@value #MAX_LENGTH} characters
     */
    public static BigDecimal parse(String typed) {
        if (typed.length() > MAX_LENGTH) {
            throw new NumberFormatException("more than " + MAX_LENGTH + " characters");
        }
        return new BigDecimal(typed);
    }

    /** Whether {@link #parse} takes the text. */
    public static boolean isOne(String typed) {
        try {
            parse(typed);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** What was typed, for an error; of a long text the begin. */
    public static String shown(String typed) {
        return typed.length() <= MAX_LENGTH ? typed : typed.substring(0, MAX_LENGTH) + "...";
    }
}
