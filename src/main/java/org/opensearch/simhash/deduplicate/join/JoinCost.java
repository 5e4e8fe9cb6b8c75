/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Plans a {@link NearJoin} and estimates its cost, from a sample. */
public final class JoinCost {

    /** Strata up to this size are compared as a whole: to plan a join takes longer. */
    static final int SMALL = 4_096;

    private JoinCost() {}

    /** The plan of a small stratum. */
    static Priced<BlockPlan> whole(int count, int distance) {
        return new Priced<>(BlockPlan.quadratic(distance), count * BlockChoice.comparing(count));
    }

    /**
     * The cheapest plan. The estimate ignores equal fingerprints, which a join compares once.
     *
     * @param sample random fingerprints of one stratum
     * @param count size of the stratum
     */
    static Priced<? extends JoinPlan> cheapest(long[] sample, long count, int distance) {
        long[] distinct = Cliques.distinct(sample.clone());
        PairSample pairs = new PairSample(distinct, count, distance);
        Priced<BlockPlan> blocks = BlockChoice.cheapest(distinct, count, -1L, distance, BlockChoice.MOST_COMBINATIONS);
        double links = RadiusChoice.LINK * pairs.links() * count * (count - 1) / 2;
        Priced<BlockPlan> withLinks = new Priced<>(blocks.plan(), blocks.nanos() + links);
        if (distance == 0) {
            return withLinks;
        }
        Priced<RadiusPlan> radii = RadiusChoice.cheapest(distinct, pairs, count, distance);
        return radii.nanos() < withLinks.nanos() ? radii : withLinks;
    }

    /**
     * Approximate nanoseconds of all threads together, of {@link #cheapest}. Takes 10 to 100 ms for a million
     * fingerprints, 250 ms for ten million.
     */
    public static double nanos(long[] sample, long count, int distance) {
        return cheapest(sample, count, distance).nanos();
    }
}
