/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/** Score by distance: {@code boost * (1 - distance / 64)}, and back. Immutable. */
final class Scores {

    private final float[] byDistance = new float[Long.SIZE + 1];

    Scores(float boost) {
        for (int distance = 0; distance <= Long.SIZE; distance++) {
            byDistance[distance] = boost * (1f - distance / (float) Long.SIZE);
        }
    }

    float of(int distance) {
        return byDistance[distance];
    }

    /** The largest distance up to {@code bound} that scores at least {@code minScore}, -1 when none does. */
    int boundFor(float minScore, int bound) {
        int distance = bound;
        while (distance >= 0 && byDistance[distance] < minScore) {
            distance--;
        }
        return distance;
    }
}
