/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.LeafPlanner.CostedPlan;
import org.opensearch.simhash.search.match.Print.Target;

/** The plan that is chosen without comparing plans costs no more than the one that comparing them finds. */
public class LeafPlannerTests extends LuceneTestCase {

    private static final int DOCUMENTS = 2000;
    private static final double[] SHARED = {0, 0.001, 0.003, 0.01, 0.03, 0.3};

    public void testOwnValuesCostNoMoreThanWhatComparingPlansFinds() throws IOException {
        int own = 0;
        for (int count = SegmentLayout.MIN; count <= SegmentLayout.MAX; count++) {
            for (int i = 0; i < 4; i++) {
                own += compare(new SegmentLayout(count));
            }
        }
        assertTrue("chosen " + own + " times", own > 100);
    }

    /** Many documents have each value, as in a leaf of millions: together they cost more than the values around one. */
    public void testOwnValuesMayTogetherCostMoreThanTheValuesAroundOne() throws IOException {
        long target = random().nextLong();
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, List.of(of(0, target, 4), of(1, ~target, 4)))) {
            // Some 900 for each of four values; any plan but theirs seeks 16 values, 160 each.
            CostModel costs = new CostModel(1e4, 160, 100, 800, 1e12, 1, 1e4);
            LeafPlanner planner = new LeafPlanner(leaf(index), Target.of(target), costs);
            assertEquals(3600, planner.ownValues(3, 1, new LeafEffort()).nanos(), 1);
            CostModel dearer = new CostModel(1e4, 50, 100, 800, 1e12, 1, 1e4);
            assertNull(new LeafPlanner(leaf(index), Target.of(target), dearer).ownValues(3, 1, new LeafEffort()));
        }
    }

    /** How often own values were chosen. */
    private static int compare(SegmentLayout layout) throws IOException {
        long target = random().nextLong();
        double[] shared = new double[layout.count()];
        for (int i = 0; i < shared.length; i++) {
            shared[i] = SHARED[random().nextInt(SHARED.length)];
        }
        List<FingerprintedDocument> documents = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(of(i, next(layout, target, shared), layout.count()));
        }
        int chosen = 0;
        try (Directory directory = FingerprintIndex.newDirectory();
                FingerprintIndex index = FingerprintIndex.of(directory, documents)) {
            LeafFingerprints leaf = leaf(index);
            for (int i = 0; i < 100; i++) {
                CostModel costs = new CostModel(
                        50 * random().nextDouble(),
                        250 * random().nextDouble(),
                        350 * random().nextDouble(),
                        14 * random().nextDouble(),
                        20,
                        1.2 * random().nextDouble(),
                        0.1 * random().nextDouble());
                int bound = random().nextInt(layout.count());
                double share = random().nextBoolean() ? 1 : random().nextDouble();
                CostedPlan own =
                        new LeafPlanner(leaf, Target.of(target), costs).ownValues(bound, share, new LeafEffort());
                if (own != null) {
                    chosen++;
                    CostedPlan best =
                            new LeafPlanner(leaf, Target.of(target), costs).compared(bound, share, new LeafEffort());
                    // Of other segments that would do as well no document may have the value. Then what was expected of
                    // these is too much, a look-up and the average of documents each.
                    double lucky = costs.planning() + (bound + 1) * (costs.seek() + costs.open());
                    for (int segment = 0; segment <= bound; segment++) {
                        lucky += share * DOCUMENTS / (1L << layout.width(segment)) * costs.candidate();
                    }
                    double more = bound + 1 < layout.count() ? lucky : 0;
                    assertTrue(
                            own + " and " + best + " of " + costs + " within " + bound + " of " + layout,
                            own.nanos() <= best.nanos() + more + 1e-6);
                }
            }
        }
        return chosen;
    }

    /** Has each segment's value of the target as often as is said. */
    private static long next(SegmentLayout layout, long target, double[] shared) {
        long bits = random().nextLong();
        for (int i = 0; i < layout.count(); i++) {
            if (random().nextDouble() < shared[i]) {
                long mask = (-1L >>> (Long.SIZE - layout.width(i))) << layout.shift(i);
                bits = (bits & ~mask) | (target & mask);
            }
        }
        return bits;
    }

    private static LeafFingerprints leaf(FingerprintIndex index) throws IOException {
        return LeafFingerprints.of(index.reader().leaves().getFirst().reader(), FingerprintedDocument.FIELDS);
    }

    private static FingerprintedDocument of(int id, long bits, int segments) {
        return FingerprintedDocument.of(id, bits, segments);
    }
}
