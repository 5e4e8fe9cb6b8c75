/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The notation of a given hash of 64 or 256 bits: the values of the option {@code hash_format}. */
public enum HashFormat {

    /** {@code 9f2c4d0011aa22bb}, {@code 0x9F2C4D0011AA22BB}; most programs leave leading zeros out. */
    HEX {
        @Override
        String rule(int length) {
            return "1 to " + length / 4 + " hex digits";
        }

        @Override
        BigInteger read(Object value, int length) {
            Matcher text = HEX_DIGITS.matcher(value instanceof String given ? given : "");
            return text.matches() && text.group(1).length() <= length / 4 ? new BigInteger(text.group(1), 16) : null;
        }
    },

    /** Decimal, 0 to 18446744073709551615 for 64 bits, a number or string. */
    UNSIGNED {
        @Override
        String rule(int length) {
            return "a whole number between 0 and " + maxUnsigned(length);
        }

        @Override
        BigInteger read(Object value, int length) {
            return between(BigInteger.ZERO, maxUnsigned(length), whole(value));
        }
    },

    /** Decimal two's complement, a number or string. */
    SIGNED {
        @Override
        String rule(int length) {
            return "a whole number between " + maxUnsigned(length - 1).not() + " and " + maxUnsigned(length - 1);
        }

        @Override
        BigInteger read(Object value, int length) {
            return between(maxUnsigned(length - 1).not(), maxUnsigned(length - 1), whole(value));
        }
    },

    /** Characters 0 or 1, highest bit first. */
    BITS {
        @Override
        String rule(int length) {
            return length + " characters 0 or 1";
        }

        @Override
        BigInteger read(Object value, int length) {
            return value instanceof String text
                            && text.length() == length
                            && BINARY_DIGITS.matcher(text).matches()
                    ? new BigInteger(text, 2)
                    : null;
        }
    },

    /** Either alphabet, with or without padding; the highest byte first. */
    BASE64 {
        @Override
        String rule(int length) {
            return length / Byte.SIZE + " bytes in Base64";
        }

        @Override
        BigInteger read(Object value, int length) {
            int bytes = length / Byte.SIZE;
            // No decoder sees a text that is longer than such a hash.
            if (value instanceof String text && text.length() <= (bytes + 2) / 3 * 4) {
                try {
                    byte[] decoded =
                            Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
                    return decoded.length == bytes ? new BigInteger(1, decoded) : null;
                } catch (IllegalArgumentException e) {
                    return null;
                }
            }
            return null;
        }
    },

    /** 8-bit integers, signed or not, highest first, as libraries give out arrays of bytes. */
    BYTES(Byte.SIZE),

    /** 16-bit integers, signed or not, highest first: {@code [-24788, 19712, 4522, 8891]}. */
    SHORTS(Short.SIZE),

    /** 64-bit integers, signed or not, numbers or strings, highest first. */
    LONGS(Long.SIZE);

    private static final Pattern HEX_DIGITS = Pattern.compile("(?:0[xX])?([0-9a-fA-F]++)");
    private static final Pattern BINARY_DIGITS = Pattern.compile("[01]++");

    /** 256 bits have 78 digits. */
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,80}");

    /** Bits of each integer of an array; 0 for what is no array. */
    private final int width;

    HashFormat() {
        this(0);
    }

    HashFormat(int width) {
        this.width = width;
    }

    /** The words of a value of so many bits, the highest first. The path is that of its field, for errors. */
    public long[] words(String path, Object value, int length) {
        BigInteger bits = read(value, length);
        if (bits == null) {
            throw new IllegalArgumentException("field [" + path + "] must be " + rule(length)
                    + ", as [hash_format] says, got: "
                    + TypedNumber.shown(
                            String.valueOf(value instanceof Object[] array ? Arrays.asList(array) : value)));
        }
        long[] words = new long[length / Long.SIZE];
        for (int i = 0; i < words.length; i++) {
            words[i] = bits.shiftRight((words.length - 1 - i) * Long.SIZE).longValue();
        }
        return words;
    }

    /** What the value must be; by default, of an array. */
    String rule(int length) {
        int count = length / width;
        return "an array of " + (count == 4 ? "four" : String.valueOf(count)) + " whole numbers between "
                + maxUnsigned(width - 1).not() + " and " + maxUnsigned(width);
    }

    /** The bits, as a number of either sign; null if the value has another format. By default, of an array. */
    BigInteger read(Object value, int length) {
        List<?> parts = parts(value);
        if (parts == null || parts.size() != length / width) {
            return null;
        }
        BigInteger bits = BigInteger.ZERO;
        for (Object part : parts) {
            BigInteger number = between(maxUnsigned(width - 1).not(), maxUnsigned(width), whole(part));
            if (number == null) {
                return null;
            }
            bits = bits.shiftLeft(width).or(number.and(maxUnsigned(width)));
        }
        return bits;
    }

    /** Whether it has numbers that fit into no {@code long}. */
    public boolean isWide(int length) {
        return this == UNSIGNED || this == LONGS || (this == SIGNED && length > Long.SIZE);
    }

    /** Null for what is no array. */
    public static List<?> parts(Object value) {
        return value instanceof Object[] array ? Arrays.asList(array) : value instanceof List<?> list ? list : null;
    }

    private static BigInteger maxUnsigned(int bits) {
        return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    }

    private static BigInteger between(BigInteger min, BigInteger max, BigInteger number) {
        return number == null || number.compareTo(min) < 0 || number.compareTo(max) > 0 ? null : number;
    }

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
