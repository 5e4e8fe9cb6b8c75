/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.tests.util.LuceneTestCase;

public class ProbePlanTests extends LuceneTestCase {

    private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    public void testTakesTheFewestLookUpsWhereAllCostTheSame() {
        assertEquals(1, fewest(4, 0));
        assertEquals(4, fewest(4, 3));
        assertEquals(20, fewest(4, 4));
        assertEquals(68, fewest(4, 7));
        assertEquals(428, fewest(4, 10));
        assertEquals(548, fewest(4, 11));
    }

    public void testNoAssignmentOfRadiiThatSufficesTakesFewerLookUps() {
        for (int count = 2; count <= 4; count++) {
            SegmentLayout layout = new SegmentLayout(count);
            for (int distance = 0; distance <= 9; distance++) {
                assertEquals(
                        count + " segments, distance " + distance,
                        exhaustive(layout, distance, 0, new int[count]),
                        fewest(count, distance));
            }
        }
    }

    /** However the differing bits fall on the segments, one segment has at most its radius of them. */
    public void testMissesNoWayInWhichBitsCanDiffer() {
        for (int count = SegmentLayout.MIN; count <= SegmentLayout.MAX; count++) {
            SegmentLayout layout = new SegmentLayout(count);
            for (int distance = 0; distance <= Long.SIZE; distance++) {
                double[][] costs = randomCosts(layout);
                ProbePlan plan =
                        ProbePlan.cheapest(layout, distance, (segment, radius) -> costs[segment][radius + 1], NO_LIMIT);
                // The worst case puts radius + 1 bits, where there are so many, into every segment.
                int escaping = 0;
                for (int i = 0; i < count; i++) {
                    escaping += plan.radius(i) + 1;
                    assertTrue(plan.toString(), plan.radius(i) <= layout.width(i));
                }
                assertTrue(plan + " for distance " + distance, escaping > distance);
                for (int trial = 0; trial < 20; trial++) {
                    assertTrue(plan + " for distance " + distance, hits(plan, layout, distance));
                }
            }
        }
    }

    public void testGivesCrowdedSegmentsSmallerRadii() {
        SegmentLayout layout = new SegmentLayout(4);
        double[] crowd = {1, 1000, 1, 1};
        ProbePlan plan = ProbePlan.cheapest(
                layout, 3, (segment, radius) -> crowd[segment] * lookUps(layout, segment, radius), NO_LIMIT);
        assertEquals("segment 1 is left out, another takes its share: " + plan, ProbePlan.NONE, plan.radius(1));
        assertEquals(1 + 16 + 1 + 1, plan.values(layout));
    }

    public void testThereIsNoPlanBelowTheLimit() {
        SegmentLayout layout = new SegmentLayout(4);
        ProbePlan.Costs costs = (segment, radius) -> lookUps(layout, segment, radius);
        assertNull(ProbePlan.cheapest(layout, 7, costs, 68));
        assertNotNull(ProbePlan.cheapest(layout, 7, costs, 68.5));
    }

    public void testIsTheCheapestOfAllForAnyCosts() {
        SegmentLayout layout = new SegmentLayout(3);
        for (int trial = 0; trial < 50; trial++) {
            double[][] costs = randomCosts(layout);
            int distance = random().nextInt(10);
            ProbePlan plan =
                    ProbePlan.cheapest(layout, distance, (segment, radius) -> costs[segment][radius + 1], NO_LIMIT);
            double cheapest = Double.POSITIVE_INFINITY;
            for (int a = 0; a <= distance + 1; a++) {
                for (int b = 0; a + b <= distance + 1; b++) {
                    cheapest = Math.min(cheapest, costs[0][a] + costs[1][b] + costs[2][distance + 1 - a - b]);
                }
            }
            double cost = 0;
            for (int i = 0; i < 3; i++) {
                cost += costs[i][plan.radius(i) + 1];
            }
            assertEquals(cheapest, cost, 1e-9);
        }
    }

    private static long fewest(int count, int distance) {
        SegmentLayout layout = new SegmentLayout(count);
        ProbePlan plan =
                ProbePlan.cheapest(layout, distance, (segment, radius) -> lookUps(layout, segment, radius), NO_LIMIT);
        return plan.values(layout);
    }

    private static double lookUps(SegmentLayout layout, int segment, int radius) {
        int[] radii = new int[layout.count()];
        Arrays.fill(radii, ProbePlan.NONE);
        radii[segment] = radius;
        return new ProbePlan(radii).values(layout);
    }

    /** Fewest look-ups of all radii whose shares add up to more than the distance. */
    private static long exhaustive(SegmentLayout layout, int distance, int segment, int[] radii) {
        if (segment == radii.length) {
            int shares = Arrays.stream(radii).map(radius -> radius + 1).sum();
            return shares > distance ? new ProbePlan(radii.clone()).values(layout) : Long.MAX_VALUE;
        }
        long fewest = Long.MAX_VALUE;
        for (int radius = ProbePlan.NONE; radius <= distance; radius++) {
            radii[segment] = radius;
            fewest = Math.min(fewest, exhaustive(layout, distance, segment + 1, radii));
        }
        return fewest;
    }

    /** Grow with the radius, as costs do, by chance. */
    private static double[][] randomCosts(SegmentLayout layout) {
        Random random = random();
        double[][] costs = new double[layout.count()][Long.SIZE + 2];
        for (double[] segment : costs) {
            double growth = 1 + random.nextDouble() * 8;
            double step = random.nextDouble() * 100;
            for (int i = 1; i < segment.length; i++) {
                segment[i] = segment[i - 1] + step;
                step *= growth;
            }
        }
        return costs;
    }

    private static boolean hits(ProbePlan plan, SegmentLayout layout, int distance) {
        long differing = FingerprintDistribution.flip(random(), 0, distance);
        for (int i = 0; i < layout.count(); i++) {
            if (Long.bitCount(layout.value(differing, i)) <= plan.radius(i)) {
                return true;
            }
        }
        return false;
    }
}
