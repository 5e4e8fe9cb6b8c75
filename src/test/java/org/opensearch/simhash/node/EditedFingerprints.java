/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** Random fingerprints; one of so many is an earlier one with some bits flipped. */
public final class EditedFingerprints implements LongSupplier {

    private final SplittableRandom random;
    private final int oneOf;
    private final int flips;
    private final long[] earlier;
    private int count;

    /**
     * A sequence that its seed determines.
     *
     * @param documents how many fingerprints at most
     * @param oneOf one of so many is edited
     * @param flips most bits that are flipped
     */
    public EditedFingerprints(int documents, int oneOf, int flips, long seed) {
        random = new SplittableRandom(seed);
        this.oneOf = oneOf;
        this.flips = flips;
        earlier = new long[documents];
    }

    @Override
    public long getAsLong() {
        long value = random.nextLong();
        if (count > 0 && random.nextInt(oneOf) == 0) {
            value = earlier[random.nextInt(count)];
            for (int flip = random.nextInt(flips + 1); flip > 0; flip--) {
                value ^= 1L << random.nextInt(Long.SIZE);
            }
        }
        earlier[count++] = value;
        return value;
    }
}
