/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

/**
 * The weight of a feature, by its count. Weights are integers in units of 1/{@link #ONE}, so a sum is the same in any
 * order, on every machine.
 */
public enum Weighting {
    /** {@code 1 + ln(count)}: a frequent word does not drown the others. */
    LOG_TF {
        @Override
        public long weight(int count) {
            return count < LOGARITHMS.length ? LOGARITHMS[count] : logarithmic(count);
        }
    },
    /** Always 1: of sketches and passages, which are sets. */
    BINARY {
        @Override
        public long weight(int count) {
            return ONE;
        }
    },
    /** The count itself, as in Charikar's paper and most implementations. */
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

    public abstract long weight(int count);

    /** StrictMath gives the same last bit on every platform. */
    private static long logarithmic(int count) {
        return StrictMath.round(ONE * (1 + StrictMath.log(count)));
    }
}
