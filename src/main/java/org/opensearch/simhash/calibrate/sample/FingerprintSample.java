/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.opensearch.simhash.deduplicate.join.JoinCost;

/**
 * A uniform sample of all fingerprints, by reservoir sampling (Vitter, "Random Sampling with a Reservoir", 1985). Estimates the
 * cost of a join. One thread.
 */
public final class FingerprintSample {

    private static final int SIZE = 2_048;

    /** In bytes of heap. */
    public static final long BYTES = SIZE * (Long.BYTES + Integer.BYTES);

    private final SplittableRandom random;
    private final long[] bits = new long[SIZE];
    private final int[] strata = new int[SIZE];
    private long count;

    /** @param seed the same seed chooses the same fingerprints */
    public FingerprintSample(long seed) {
        this.random = new SplittableRandom(seed);
    }

    public void add(Document document) {
        for (int k = 0; k < document.bits().length; k++) {
            long place = count < SIZE ? count : random.nextLong(count + 1);
            if (place < SIZE) {
                bits[(int) place] = document.bits()[k];
                strata[(int) place] = document.strata()[k];
            }
            count++;
        }
    }

    /** Nanoseconds for one thread to find all pairs within a distance. */
    public double joinNanos(int distance) {
        int size = (int) Math.min(SIZE, count);
        double nanos = 0;
        for (int stratum : Arrays.stream(strata, 0, size).distinct().toArray()) {
            long[] some = new long[size];
            int found = 0;
            for (int i = 0; i < size; i++) {
                if (strata[i] == stratum) {
                    some[found++] = bits[i];
                }
            }
            long all = Math.round((double) count * found / size);
            nanos += JoinCost.nanos(Arrays.copyOf(some, found), all, distance);
        }
        return nanos;
    }
}
