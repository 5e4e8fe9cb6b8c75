/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A hash of 256 bits, in words of 64, the most significant first. Bit 0 is the least significant of the last word.
 * Hashes of 64 bits are a {@code long} everywhere. Immutable.
 */
public final class LongHash {

    public static final int MOST_BITS = 256;

    private static final int DIGITS = MOST_BITS / 4;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long[] words;

    /** @param words 4; not copied */
    public LongHash(long... words) {
        assert words.length * Long.SIZE == MOST_BITS : words.length;
        this.words = words;
    }

    /** Checks the option {@code hash_bits}. */
    public static int requireLength(int bits) {
        if (bits != Long.SIZE && bits != MOST_BITS) {
            throw new IllegalArgumentException("[hash_bits] must be 64 or 256, got: " + bits);
        }
        return bits;
    }

    /** Whether a text is such a hash: 64 lowercase hex digits. */
    public static boolean isHex(String text) {
        return Fingerprint.isHex(text, DIGITS);
    }

    /** @param hash for which {@link #isHex} is true */
    public static LongHash fromHex(String hash) {
        return fromBytes(HexFormat.of().parseHex(hash), 0, hash.length() / 2);
    }

    /** @param length 32 */
    public static LongHash fromBytes(byte[] bytes, int offset, int length) {
        long[] words = new long[length / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = word(bytes, offset, i);
        }
        return new LongHash(words);
    }

    private static long word(byte[] bytes, int offset, int i) {
        return (long) WORD.get(bytes, offset + i * Long.BYTES);
    }

    public int length() {
        return words.length * Long.SIZE;
    }

    public int words() {
        return words.length;
    }

    public long word(int i) {
        return words[i];
    }

    public String toHex() {
        return HexFormat.of().formatHex(toBytes());
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[words.length * Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            WORD.set(bytes, i * Long.BYTES, words[i]);
        }
        return bytes;
    }

    /** As a field of the type {@code binary} takes it. */
    public String toBase64() {
        return Base64.getEncoder().encodeToString(toBytes());
    }

    /** Number of differing bits. The other hash has the same length. */
    public int distance(LongHash other) {
        int distance = 0;
        for (int i = 0; i < words.length; i++) {
            distance += Long.bitCount(words[i] ^ other.words[i]);
        }
        return distance;
    }

    /** Number of bits in which the bytes differ that are this hash's length. */
    public int distance(byte[] bytes, int offset) {
        // A loop takes twice as long.
        return Long.bitCount(words[0] ^ word(bytes, offset, 0))
                + Long.bitCount(words[1] ^ word(bytes, offset, 1))
                + Long.bitCount(words[2] ^ word(bytes, offset, 2))
                + Long.bitCount(words[3] ^ word(bytes, offset, 3));
    }

    /** Positions of the differing bits, ascending. The other hash has the same length. */
    public List<Integer> differingBits(LongHash other) {
        List<Integer> positions = new ArrayList<>();
        for (int i = words.length - 1; i >= 0; i--) {
            int base = (words.length - 1 - i) * Long.SIZE;
            Fingerprint.differingBits(words[i], other.words[i]).forEach(bit -> positions.add(base + bit));
        }
        return positions;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LongHash hash && Arrays.equals(words, hash.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        return toHex();
    }

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
                return text.matches() && text.group(1).length() <= length / 4
                        ? new BigInteger(text.group(1), 16)
                        : null;
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
                        byte[] decoded = Base64.getDecoder()
                                .decode(text.replace('-', '+').replace('_', '/'));
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
            Arrays.setAll(
                    words,
                    i -> bits.shiftRight((words.length - 1 - i) * Long.SIZE).longValue());
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
}
