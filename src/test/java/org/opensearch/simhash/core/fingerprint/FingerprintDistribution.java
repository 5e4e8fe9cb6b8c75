/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Random;

/** How the fingerprints of a test index are spread. */
public enum FingerprintDistribution {
    /** Every bit by chance. */
    UNIFORM {
        @Override
        public long next(Random random, long centre) {
            return random.nextLong();
        }
    },
    /** Most bits as in a common centre, as raw counts of common words make them: few segment values, long postings. */
    SKEWED {
        @Override
        public long next(Random random, long centre) {
            return flip(random, centre, random.nextInt(16));
        }
    },
    /** Around a centre at every distance. */
    NEAR {
        @Override
        public long next(Random random, long centre) {
            return flip(random, centre, random.nextInt(Long.SIZE + 1));
        }
    },
    /** A handful of values. */
    REPEATED {
        @Override
        public long next(Random random, long centre) {
            return centre ^ (0x0101_0101_0101_0101L * random.nextInt(4));
        }
    };

    public abstract long next(Random random, long centre);

    /** Flips {@code count} different bits. */
    public static long flip(Random random, long value, int count) {
        long flipped = value;
        while (Long.bitCount(flipped ^ value) < count) {
            long bit = 1L << random.nextInt(Long.SIZE);
            if ((flipped & bit) == (value & bit)) {
                flipped ^= bit;
            }
        }
        return flipped;
    }
}
