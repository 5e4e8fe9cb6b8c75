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

    /**
     * The value of an option.
     *
     * @param rule names the option and says what it must be, for the error
     * @throws IllegalArgumentException with the rule and the value when that is no number
     */
    public static double real(String rule, String typed) {
        return number(rule, typed).doubleValue();
    }

    /**
     * The value of an option that must not be cut off; {@code 10.0} is whole.
     *
     * @param rule names the option and says what it must be, for the error
     * @throws IllegalArgumentException with the rule and the value when that is no number, not whole, or no {@code int}
     */
    public static int whole(String rule, String typed) {
        BigDecimal number = number(rule, typed);
        try {
            return number.intValueExact();
        } catch (ArithmeticException e) {
            boolean isWhole = number.stripTrailingZeros().scale() <= 0;
            throw new IllegalArgumentException(rule + (isWhole ? " of 32 bits" : "") + ", got: " + typed);
        }
    }

    private static BigDecimal number(String rule, String typed) {
        try {
            return parse(typed);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(rule + ", got: " + shown(typed));
        }
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
