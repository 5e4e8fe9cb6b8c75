/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.math.BigDecimal;

/** A number typed as text. Its length is bounded, since parsing is quadratic in the digits. And how many things an option may hold. */
public final class TypedNumber {

    /** More than any option needs. */
    public static final int MAX_LENGTH = 64;

    /** Of a number that is written out. A double has fewer, and a longer one rounds to it. */
    private static final int MOST_PLACES = 400;

    private TypedNumber() {}

    public static BigDecimal parse(String typed) {
        if (typed.length() > MAX_LENGTH) {
            throw new NumberFormatException("more than " + MAX_LENGTH + " characters");
        }
        return new BigDecimal(typed);
    }

    /** The value of an option. */
    public static double real(String rule, String typed) {
        return number(rule, typed).doubleValue();
    }

    /** The value of an integer option; {@code 10.0} is allowed. */
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

    /** Whether {@link #parse} accepts the text. */
    public static boolean isOne(String typed) {
        try {
            parse(typed);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Whether it may be written out digit by digit: ten bytes of CBOR may be a number of two billion digits. */
    public static boolean isShort(BigDecimal number) {
        return Math.abs((long) number.scale()) <= MOST_PLACES;
    }

    public static <N extends Number> N requireBetween(String option, int min, int max, N value) {
        if ((value.doubleValue() >= min && value.doubleValue() <= max) == false) {
            throw new IllegalArgumentException(
                    "[" + option + "] must be between " + min + " and " + max + ", got: " + value);
        }
        return value;
    }

    /** Bounds the things that an option holds; its name is as in the error, with brackets. */
    public static void requireAtMost(String option, int most, String things, long number) {
        if (number > most) {
            throw new IllegalArgumentException(
                    option + " must have at most " + most + " " + things + ", got: " + number);
        }
    }

    /** The typed text for an error; a long one is cut. */
    public static String shown(String typed) {
        return typed.length() <= MAX_LENGTH ? typed : typed.substring(0, MAX_LENGTH) + "...";
    }
}
