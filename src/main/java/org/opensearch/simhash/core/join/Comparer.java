/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.function.LongConsumer;

/**
 * Compares all fingerprints of one range with all of another. Most pairs are far apart. So it first asks, for four fingerprints together,
 * how near the nearest of a part of the other range is. That loop has no branch, and the compiler makes vector instructions of it.
 *
 * <p>Cost: a quarter of a nanosecond a pair in long ranges. Not thread-safe.
 */
final class Comparer {

    /** Takes pairs within the distance, by their places. */
    interface Hits {
        void hit(int i, int j, long differing);
    }

    /** Compared pairs between two reports. */
    private static final int REPORTED = 1 << 20;

    /** Values that are compared with each other value at a time. */
    private static final int TOGETHER = 4;

    /** Of the other range: many enough for vector instructions, and so few that little is compared again where many are near. */
    private static final int PART = 256;

    /** So few others are compared pair by pair. */
    private static final int FEW = 32;

    private final int distance;
    private final Hits hits;
    private final LongConsumer progress;
    private long compared;

    Comparer(int distance, Hits hits, LongConsumer progress) {
        this.distance = distance;
        this.hits = hits;
        this.progress = progress;
    }

    /** Compares all values in {@code [from, to)} with one another. */
    void within(long[] values, int from, int to) {
        for (int i = from; i < to; i += TOGETHER) {
            int end = Math.min(i + TOGETHER, to);
            for (int first = i; first < end; first++) {
                tell(values, first, values, first + 1, end);
                compared += end - first - 1;
            }
            between(values, i, end, values, end, to);
        }
    }

    /** Compares all values in {@code [from, to)} with all others in {@code [othersFrom, othersTo)}. */
    void between(long[] values, int from, int to, long[] others, int othersFrom, int othersTo) {
        for (int part = othersFrom; part < othersTo; part += PART) {
            int partEnd = Math.min(part + PART, othersTo);
            for (int i = from; i < to; i += TOGETHER) {
                int end = Math.min(i + TOGETHER, to);
                meet(values, i, end, others, part, partEnd);
                compared += (long) (end - i) * (partEnd - part);
                if (compared > REPORTED) {
                    reportCompared();
                }
            }
        }
    }

    /** Where one is near, it asks for each half of the others again: links are few, and so a few pairs remain. */
    private void meet(long[] values, int i, int end, long[] others, int from, int to) {
        if (nearest(values, i, end - 1, others, from, to) > distance) {
            return;
        }
        if (to - from > FEW) {
            int middle = (from + to) >>> 1;
            meet(values, i, end, others, from, middle);
            meet(values, i, end, others, middle, to);
            return;
        }
        for (int j = i; j < end; j++) {
            tell(values, j, others, from, to);
        }
    }

    /** Tells the progress how many were compared since the last call. */
    void reportCompared() {
        progress.accept(compared);
        compared = 0;
    }

    /** The fewest bits in which one of four values differs from one of the others. The last stands for missing ones. */
    private static int nearest(long[] values, int i, int last, long[] others, int from, int to) {
        long a = values[i];
        long b = values[Math.min(i + 1, last)];
        long c = values[Math.min(i + 2, last)];
        long d = values[Math.min(i + 3, last)];
        int nearest = Long.SIZE;
        for (int j = from; j < to; j++) {
            long other = others[j];
            int first = Math.min(Long.bitCount(a ^ other), Long.bitCount(b ^ other));
            int second = Math.min(Long.bitCount(c ^ other), Long.bitCount(d ^ other));
            nearest = Math.min(nearest, Math.min(first, second));
        }
        return nearest;
    }

    private void tell(long[] values, int i, long[] others, int from, int to) {
        long value = values[i];
        for (int j = from; j < to; j++) {
            long differing = value ^ others[j];
            if (Long.bitCount(differing) <= distance) {
                hits.hit(i, j, differing);
            }
        }
    }
}
