/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.HashSet;
import java.util.Set;

/**
 * Which bits of imported hashes vary. A hash of fewer bits, or one that a client rounded or cut, has some that never do, and so do
 * hashes that are all the same because the source left them at a default. Distances between such hashes mean less than 64 bits do.
 */
public final class HashBits {

    /** So many different hashes tell which bits vary. */
    private static final int LEAST_HASHES = 20;
    /** So many hashes tell it too if few of them differ: that many copies of fewer than 20 contents are improbable. */
    private static final int LEAST_LOOKED_AT = 100;

    private static final int LEAST_BITS = 48;

    private final Set<Long> hashes = new HashSet<>();
    private int lookedAt;

    /** @param scheme of the fingerprint; what is no imported hash is passed over */
    public void add(long bits, Object scheme) {
        if (Freshness.isGiven(String.valueOf(scheme))) {
            hashes.add(bits);
            lookedAt++;
        }
    }

    /** Different hashes. */
    public int hashes() {
        return hashes.size();
    }

    /** Whether enough hashes were looked at, and fewer than 48 bits vary in them. */
    public boolean areConstant() {
        return (hashes.size() >= LEAST_HASHES || lookedAt >= LEAST_LOOKED_AT) && varying() < LEAST_BITS;
    }

    /** Bits that vary. A bit varies if one different hash in a hundred differs from the others there. */
    public int varying() {
        int varying = 0;
        for (int i = 0; i < Long.SIZE; i++) {
            long bit = 1L << i;
            long ones = hashes.stream().filter(hash -> (hash & bit) != 0).count();
            if (ones > 0 && ones < hashes.size() && 100 * Math.min(ones, hashes.size() - ones) >= hashes.size()) {
                varying++;
            }
        }
        return varying;
    }

    /** What was found, in words. */
    @Override
    public String toString() {
        return hashes.size() == 1
                ? "all of " + lookedAt + " imported hashes are the same"
                : hashes.size() + " different imported hashes vary in " + varying() + " of 64 bits";
    }
}
