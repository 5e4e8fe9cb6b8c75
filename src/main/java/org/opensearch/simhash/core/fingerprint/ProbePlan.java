/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Arrays;

/**
 * The segment values to look up so that no fingerprint within a distance is missed. Each segment has a radius: the
 * most bits by which a looked-up value differs from the target's. {@link #NONE} skips a segment.
 *
 * <p>A plan is complete when the sum of {@code radius + 1} over all segments exceeds the distance: a missed
 * fingerprint differs by at least as much in every segment (Norouzi, Punjani, Fleet, "Fast Exact Search in Hamming
 * Space with Multi-Index Hashing", 2014). Radii are chosen by cost: crowded segments get small ones.
 *
 * <p>With 4 segments of 16 bits and equal costs, distance 3 takes radius 0 everywhere (4 values), distance 4 radius 1
 * in one segment (20 values), distance 10 radius 2 in three and 1 in one (428 values).
 */
public final class ProbePlan {

    public static final int NONE = -1;

    private static final long[][] CHOOSE = binomials();

    private final int[] radii;

    public ProbePlan(int[] radii) {
        this.radii = radii;
    }

    /** Cost of looking up a segment within a radius. */
    @FunctionalInterface
    public interface Costs {
        /** Monotonic in the radius; 0 for {@link ProbePlan#NONE}. */
        double of(int segment, int radius);
    }

    /** The cheapest complete plan, by dynamic programming over the segments; null if none is below {@code limit}. */
    public static ProbePlan cheapest(SegmentLayout layout, int distance, Costs costs, double limit) {
        int count = layout.count();
        int needed = distance + 1;
        double[] best = new double[needed + 1];
        Arrays.fill(best, 1, needed + 1, Double.POSITIVE_INFINITY);
        int[][] chosen = new int[count][needed + 1];
        for (int segment = 0; segment < count; segment++) {
            double[] next = new double[needed + 1];
            Arrays.fill(next, Double.POSITIVE_INFINITY);
            int maxRadius = Math.min(layout.width(segment), distance);
            for (int radius = NONE; radius <= maxRadius; radius++) {
                double cost = costs.of(segment, radius);
                if (cost >= limit) {
                    break;
                }
                for (int have = 0; have <= needed; have++) {
                    int sum = Math.min(needed, have + radius + 1);
                    if (best[have] + cost < next[sum]) {
                        next[sum] = best[have] + cost;
                        chosen[segment][sum] = radius << Short.SIZE | have;
                    }
                }
            }
            best = next;
        }
        if (best[needed] >= limit) {
            return null;
        }
        int[] radii = new int[count];
        for (int segment = count - 1, sum = needed; segment >= 0; segment--) {
            radii[segment] = chosen[segment][sum] >> Short.SIZE;
            sum = chosen[segment][sum] & 0xffff;
        }
        return new ProbePlan(radii);
    }

    /** The target's own values of the first {@code needed} of {@code count} segments. */
    public static ProbePlan ownValues(int count, int needed) {
        int[] radii = new int[count];
        Arrays.fill(radii, needed, count, NONE);
        return new ProbePlan(radii);
    }

    /** Radius of a segment, or {@link #NONE}. */
    public int radius(int segment) {
        return radii[segment];
    }

    /** The least number of (segment, radius) pairs that hold within {@code distance}: each differing bit breaks at most one. */
    public int shared(int distance) {
        int sum = 0;
        for (int radius : radii) {
            sum += radius + 1;
        }
        return sum - distance;
    }

    public long values(SegmentLayout layout) {
        long sum = 0;
        for (int segment = 0; segment < radii.length; segment++) {
            for (int radius = 0; radius <= radii[segment]; radius++) {
                sum += choose(layout.width(segment), radius);
            }
        }
        return sum;
    }

    /** Number of {@code n}-bit values at distance {@code k} from one; {@code n} is at most 64. */
    public static long choose(int n, int k) {
        return CHOOSE[n][k];
    }

    /** Pascal's triangle, since planning asks dozens of times. */
    private static long[][] binomials() {
        long[][] rows = new long[Long.SIZE + 1][Long.SIZE + 1];
        for (int n = 0; n < rows.length; n++) {
            rows[n][0] = 1;
            for (int k = 1; k <= n; k++) {
                rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            }
        }
        return rows;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ProbePlan plan && Arrays.equals(radii, plan.radii);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(radii);
    }

    @Override
    public String toString() {
        return "radii " + Arrays.toString(radii);
    }
}
