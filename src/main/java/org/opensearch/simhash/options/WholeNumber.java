/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.options;

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
        try {
            return TypedNumber.parse(typed).intValueExact();
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException(rule + ", got: " + TypedNumber.shown(typed));
        }
    }
}
