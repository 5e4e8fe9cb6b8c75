/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

/** All 16-bit masks by their number of bits: a value's rings. Immutable. */
final class RingMasks {

    private static final int BITS = 16;

    private final char[] masks = new char[1 << BITS];
    private final int[] ends = new int[BITS + 1];

    RingMasks() {
        int size = 0;
        for (int radius = 0; radius <= BITS; radius++) {
            for (int mask = 0; mask < masks.length; mask++) {
                if (Integer.bitCount(mask) == radius) {
                    masks[size++] = (char) mask;
                }
            }
            ends[radius] = size;
        }
    }

    /** Masks with at most {@code radius} bits; 0 for a negative radius. */
    int within(int radius) {
        return radius < 0 ? 0 : ends[radius];
    }

    int mask(int i) {
        return masks[i];
    }
}
