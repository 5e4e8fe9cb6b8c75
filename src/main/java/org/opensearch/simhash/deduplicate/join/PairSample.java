/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Pairs of random fingerprints of a sample, by the bits in which they differ. Equal fingerprints are no pair. */
final class PairSample {

    private static final int LEAST = 256;
    private static final int MOST = 1_024;

    /** One fingerprint is drawn for so many that will be joined: planning is to take a small part of the join. */
    private static final int PART = 4_096;

    private final long[] differing;
    private final long[] links;

    /** @param count how many fingerprints will be joined */
    PairSample(long[] sample, long count, int distance) {
        long[] drawn = draw(sample, Math.clamp(count / PART, LEAST, MOST));
        long[] all = new long[drawn.length * (drawn.length - 1) / 2];
        int size = 0;
        for (int i = 0; i < drawn.length; i++) {
            for (int j = 0; j < i; j++) {
                all[size] = drawn[i] ^ drawn[j];
                size += all[size] == 0 ? 0 : 1;
            }
        }
        this.differing = size == all.length ? all : Arrays.copyOf(all, size);
        this.links = Arrays.stream(differing)
                .filter(pair -> Long.bitCount(pair) <= distance)
                .toArray();
    }

    /** At random: a sample in order would draw fingerprints that differ in their highest bits. */
    private static long[] draw(long[] sample, int most) {
        if (sample.length <= most) {
            return sample;
        }
        return new SplittableRandom(1)
                .ints(most, 0, sample.length)
                .mapToLong(i -> sample[i])
                .toArray();
    }

    /** The share of pairs that are links. */
    double links() {
        return share(links.length);
    }

    /** The share of pairs within the radius of a block. */
    double near(RadiusPlan.Block block) {
        return share(near(differing, block));
    }

    /** The share of pairs that are links and within the radius of a block. */
    double linked(RadiusPlan.Block block) {
        return share(near(links, block));
    }

    private static long near(long[] pairs, RadiusPlan.Block block) {
        long near = 0;
        for (long pair : pairs) {
            near += block.isNear(pair) ? 1 : 0;
        }
        return near;
    }

    private double share(long pairs) {
        return (double) pairs / Math.max(1, differing.length);
    }
}
