/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import org.apache.lucene.util.BytesRef;

/** Segment values as terms: lowercase hex, zero-padded. */
final class HexTerms {

    private static final byte[] DIGITS = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };

    private HexTerms() {}

    /** Writes a value in as many digits as {@code term} has. */
    static void write(long value, BytesRef term) {
        long rest = value;
        for (int i = term.offset + term.length - 1; i >= term.offset; i--) {
            term.bytes[i] = DIGITS[(int) rest & 0xf];
            rest >>>= 4;
        }
    }

    /** The value of a term of at most 15 digits; -1 if it is invalid. */
    static long parse(BytesRef term) {
        if (term.length == 0 || term.length > 15) {
            return -1;
        }
        long value = 0;
        for (int i = term.offset; i < term.offset + term.length; i++) {
            int digit = digit(term.bytes[i]);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static int digit(byte letter) {
        if (letter >= '0' && letter <= '9') {
            return letter - '0';
        }
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
