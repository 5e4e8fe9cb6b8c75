/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/**
 * The share of links among all pairs, estimated from a sample. Compares at most about 1 % of the pairs, and never more
 * than two million.
 */
record LinkSample(double share, long compared) {

    private static final int LEAST = 64;
    private static final int MOST = 2_048;
    private static final int PART = 8;

    static LinkSample of(Fingerprints fingerprints, Fingerprints.Slice slice, int distance) {
        return of(fingerprints.sample(slice, most(slice.size())), distance);
    }

    static LinkSample of(long[] values, int from, int to, int distance) {
        return of(JoinCost.sample(values, from, to, most(to - from)), distance);
    }

    private static int most(int values) {
        return Math.clamp(values / PART, LEAST, MOST);
    }

    private static LinkSample of(long[] sample, int distance) {
        long near = 0;
        for (int i = 0; i < sample.length; i++) {
            for (int j = 0; j < i; j++) {
                near += Long.bitCount(sample[i] ^ sample[j]) <= distance ? 1 : 0;
            }
        }
        long compared = sample.length * (sample.length - 1L) / 2;
        return new LinkSample((double) near / Math.max(1, compared), compared);
    }
}
