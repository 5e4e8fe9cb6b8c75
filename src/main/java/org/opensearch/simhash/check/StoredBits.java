/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

/**
 * {@code bits} as a document has them. A client that reads numbers as doubles, as JavaScript does, writes back another number: 64
 * bits do not fit into a double. The {@code hash} beside them is text, and stays true.
 */
final class StoredBits {

    private StoredBits() {}

    /** Whether a stored number is a fingerprint's. */
    static boolean areOf(Object stored, long bits) {
        return stored instanceof Number number
                ? isWhole(number) && number.longValue() == bits
                : Long.toString(bits).equals(stored);
    }

    private static boolean isWhole(Number number) {
        return number instanceof Long || number instanceof Integer;
    }
}
