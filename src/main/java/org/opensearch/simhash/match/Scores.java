/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/** Score of a distance: {@code boost * (1 - distance / 64)}, and its inverse. Immutable. */
final class Scores {

    private final float boost;

    Scores(float boost) {
        this.boost = boost;
    }

    float of(int distance) {
        return boost * (1f - distance / (float) Long.SIZE);
    }

    /** The largest distance up to {@code bound} that scores at least {@code minScore}; -1 if none. */
    int boundFor(float minScore, int bound) {
        int distance = bound;
        while (distance >= 0 && of(distance) < minScore) {
            distance--;
        }
        return distance;
    }
}
