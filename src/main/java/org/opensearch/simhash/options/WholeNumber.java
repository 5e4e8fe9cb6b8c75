/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.options;

import java.math.BigDecimal;

/** The value of an option as it was typed: a number that is not whole must not be cut off. */
public final class WholeNumber {

    private WholeNumber() {}

    /**
     * Reads a value, {@code 10.0} and a string included.
     *
     * @param rule names the option and says what it must be, for the error
     * @throws IllegalArgumentException with the rule and the value when that is no number, not whole, or no {@code int}
     */
    public static int parse(String rule, String typed) {
        BigDecimal number;
        try {
            number = TypedNumber.parse(typed);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(rule + ", got: " + TypedNumber.shown(typed));
        }
        try {
            return number.intValueExact();
        } catch (ArithmeticException e) {
            boolean isWhole = number.stripTrailingZeros().scale() <= 0;
            throw new IllegalArgumentException(rule + (isWhole ? " of 32 bits" : "") + ", got: " + typed);
        }
    }
}
