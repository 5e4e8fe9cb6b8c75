/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/**
 * How much a feature votes, by how often it occurs. Weights are fixed-point integers in units of 1/{@link #ONE}: their sums
 * do not depend on the order of addition, so a fingerprint is the same on every machine.
 */
public enum Weighting {
    /** {@code 1 + ln(count)}: a word that is repeated all over a text does not drown the others. */
    LOG_TF {
        @Override
        public long weight(int count) {
            return count < LOGARITHMS.length ? LOGARITHMS[count] : logarithmic(count);
        }
    },
    /** 1, however often. */
    BINARY {
        @Override
        public long weight(int count) {
            return ONE;
        }
    },
    /** The count itself, as in Charikar's and most published implementations. */
    TF {
        @Override
        public long weight(int count) {
            return (long) count * ONE;
        }
    };

    /** The weight of a feature that occurs once. */
    public static final int ONE = 256;

    private static final long[] LOGARITHMS = new long[256];

    static {
        for (int count = 1; count < LOGARITHMS.length; count++) {
            LOGARITHMS[count] = logarithmic(count);
        }
    }

    /** @param count occurrences, 1 or more */
    public abstract long weight(int count);

    /** StrictMath: the same last bit on every platform. */
    private static long logarithmic(int count) {
        return StrictMath.round(ONE * (1 + StrictMath.log(count)));
    }
}
