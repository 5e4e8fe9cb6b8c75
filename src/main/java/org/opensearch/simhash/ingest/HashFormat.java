/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.simhash.options.TypedNumber;

/** The notation of a given 64-bit hash: the values of the option {@code hash_format}. */
enum HashFormat {

    /** {@code 9f2c4d0011aa22bb}, {@code 0x9F2C4D0011AA22BB}; most programs leave leading zeros out. */
    HEX("1 to 16 hex digits") {
        @Override
        Long read(Object value) {
            Matcher text = HEX_DIGITS.matcher(value instanceof String given ? given : "");
            return text.matches() ? Long.valueOf(Long.parseUnsignedLong(text.group(1), 16)) : null;
        }
    },

    /** Decimal, 0 to 18446744073709551615, a number or string. */
    UNSIGNED("a whole number between 0 and 18446744073709551615") {
        @Override
        Long read(Object value) {
            BigInteger number = whole(value);
            boolean isInRange = number != null && number.signum() >= 0 && number.bitLength() <= Long.SIZE;
            return isInRange ? Long.valueOf(number.longValue()) : null;
        }
    },

    /** Decimal two's complement of 64 bits, a number or string. */
    SIGNED("a whole number between -9223372036854775808 and 9223372036854775807") {
        @Override
        Long read(Object value) {
            BigInteger number = whole(value);
            return number != null && number.bitLength() < Long.SIZE ? Long.valueOf(number.longValue()) : null;
        }
    },

    /** 64 characters 0 or 1, highest bit first. */
    BITS("64 characters 0 or 1") {
        @Override
        Long read(Object value) {
            return value instanceof String text && BINARY_DIGITS.matcher(text).matches()
                    ? Long.valueOf(Long.parseUnsignedLong(text, 2))
                    : null;
        }
    },

    /** Four 16-bit integers, signed or not, highest first: {@code [-24788, 19712, 4522, 8891]}. */
    SHORTS("an array of four whole numbers between -32768 and 65535") {
        @Override
        Long read(Object value) {
            List<?> parts =
                    value instanceof Object[] array ? Arrays.asList(array) : value instanceof List<?> l ? l : null;
            if (parts == null || parts.size() != Long.SIZE / Short.SIZE) {
                return null;
            }
            long bits = 0;
            for (Object part : parts) {
                BigInteger number = whole(part);
                if (number == null || number.compareTo(LEAST_SHORT) < 0 || number.compareTo(MOST_SHORT) > 0) {
                    return null;
                }
                bits = (bits << Short.SIZE) | (number.intValue() & 0xFFFF);
            }
            return bits;
        }
    };

    private static final Pattern HEX_DIGITS = Pattern.compile("(?:0[xX])?([0-9a-fA-F]{1,16})");
    private static final Pattern BINARY_DIGITS = Pattern.compile("[01]{64}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,40}");
    private static final BigInteger LEAST_SHORT = BigInteger.valueOf(Short.MIN_VALUE);
    private static final BigInteger MOST_SHORT = BigInteger.valueOf(0xFFFF);

    private final String rule;

    HashFormat(String rule) {
        this.rule = rule;
    }

    /**
     * The 64 bits of a value.
     *
     * @param path of its field, for errors
     * @throws IllegalArgumentException naming the field, the rule and the value
     */
    long bits(String path, Object value) {
        Long bits = read(value);
        if (bits == null) {
            throw new IllegalArgumentException("field [" + path + "] must be " + rule + ", as [hash_format] says, got: "
                    + TypedNumber.shown(
                            String.valueOf(value instanceof Object[] array ? Arrays.asList(array) : value)));
        }
        return bits;
    }

    /** Null if the value has another format. */
    abstract Long read(Object value);

    /** Null if it is not an integer. Even {@code 1.0} is refused, since a floating-point number has lost bits. */
    private static BigInteger whole(Object value) {
        return switch (value) {
            case null -> null;
            case BigInteger number -> number;
            case Long number -> BigInteger.valueOf(number);
            case Integer number -> BigInteger.valueOf(number);
            case Short number -> BigInteger.valueOf(number);
            case Byte number -> BigInteger.valueOf(number);
            case String text -> DECIMAL.matcher(text).matches() ? new BigInteger(text) : null;
            default -> null;
        };
    }
}
