/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** How the fingerprints of a corpus are spread. */
public enum Spread {
    /** Every bit by chance: what well-weighted features come near to. */
    UNIFORM {
        @Override
        public LongSupplier fingerprints(long seed) {
            return new SplittableRandom(seed)::nextLong;
        }
    },
    /** Common words decide most bits: buckets of very different sizes. */
    SKEWED {
        @Override
        public LongSupplier fingerprints(long seed) {
            return new ZipfFingerprints(seed);
        }
    };

    /** An endless sequence; the same seed gives the same. */
    public abstract LongSupplier fingerprints(long seed);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
