/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.math.BigInteger;

/** The order of ids: numbers by value, then all other ids. */
final class IdOrder {

    /** Numbers with fewer digits are below {@link #LONG_NUMBERS}. */
    private static final int LONG_DIGITS = 19;

    /** Key of all longer numbers. */
    private static final long LONG_NUMBERS = 1L << 62;

    /** Start of the keys of other ids; nine characters of seven bits follow. */
    private static final long NO_NUMBERS = 1L << 63;

    private static final int CHARACTERS = 9;
    private static final int CHARACTER_BITS = 7;
    private static final int LAST_CHARACTER = (1 << CHARACTER_BITS) - 1;

    private IdOrder() {}

    static int compare(String a, String b) {
        boolean first = isNumber(a);
        boolean second = isNumber(b);
        if (first && second) {
            int byValue = a.length() < LONG_DIGITS && b.length() < LONG_DIGITS
                    ? Long.compare(Long.parseLong(a), Long.parseLong(b))
                    : new BigInteger(a).compareTo(new BigInteger(b));
            return byValue != 0 ? byValue : a.compareTo(b);
        }
        return first == second ? a.compareTo(b) : Boolean.compare(second, first);
    }

    /** A signed key in the order of ids. Different ids may have equal keys. */
    static long key(String id) {
        if (isNumber(id)) {
            return (id.length() < LONG_DIGITS ? Long.parseLong(id) : LONG_NUMBERS) ^ Long.MIN_VALUE;
        }
        long key = NO_NUMBERS;
        for (int i = 0, shift = CHARACTERS * CHARACTER_BITS; i < Math.min(CHARACTERS, id.length()); i++) {
            shift -= CHARACTER_BITS;
            int character = Math.min(id.charAt(i), LAST_CHARACTER);
            key |= (long) character << shift;
            if (character == LAST_CHARACTER) {
                break;
            }
        }
        return key ^ Long.MIN_VALUE;
    }

    private static boolean isNumber(String id) {
        for (int i = 0; i < id.length(); i++) {
            if (id.charAt(i) < '0' || id.charAt(i) > '9') {
                return false;
            }
        }
        return id.isEmpty() == false;
    }
}
