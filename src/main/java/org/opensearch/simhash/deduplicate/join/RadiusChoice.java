/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.opensearch.simhash.deduplicate.join.RadiusPlan.Block;

/**
 * Chooses the cheapest {@link RadiusPlan} for given fingerprints. It deals the bits, those that separate best first, each
 * to the block that most pairs are still near by. Then each block keeps its first bits, as many as are cheapest.
 */
final class RadiusChoice {

    /** Nanoseconds to deal a fingerprint to its bin. */
    private static final double DEAL = 25;

    /** Nanoseconds to sort a fingerprint of a bin into its bucket. */
    private static final double SORT = 8;

    /** Nanoseconds to look at a pair of buckets. */
    private static final double VISIT = 5;

    /** Nanoseconds to meet a link. */
    static final double LINK = 20;

    private static final int MOST_BLOCKS = 8;

    private final double[] agreement;
    private final int[] bits;
    private final PairSample pairs;
    private final long count;

    /** Buckets of fewer values than two cost more than they save. */
    private final int mostBits;

    private RadiusChoice(long[] sample, PairSample pairs, long count) {
        this.agreement = BlockChoice.agreement(sample);
        this.bits = BlockChoice.bestFirst(agreement, -1L);
        this.pairs = pairs;
        this.count = count;
        this.mostBits = Math.clamp(Long.SIZE - 2 - Long.numberOfLeadingZeros(count), 1, RadiusPlan.MOST_BITS);
    }

    /**
     * The cheapest plan. Its price includes the links.
     *
     * @param sample of the fingerprints to join
     * @param pairs of the sample
     * @param count how many fingerprints will be joined
     * @param distance at least 1
     */
    static Priced<RadiusPlan> cheapest(long[] sample, PairSample pairs, long count, int distance) {
        RadiusChoice choice = new RadiusChoice(sample, pairs, count);
        Priced<RadiusPlan> best = null;
        for (int blocks = 2; blocks <= Math.min(distance + 1, MOST_BLOCKS); blocks++) {
            Priced<RadiusPlan> plan = choice.plan(blocks, distance);
            if (best == null || plan.nanos() < best.nanos()) {
                best = plan;
            }
        }
        return best;
    }

    private Priced<RadiusPlan> plan(int count, int distance) {
        int[] radii = new int[count];
        // Each radius plus one, added up, is the distance plus one.
        Arrays.setAll(radii, i -> (distance + 1 + i) / count - 1);
        List<Block> blocks = new ArrayList<>();
        double nanos = 0;
        for (PricedBlock block : blocks(radii)) {
            blocks.add(block.block);
            nanos += block.nanos;
        }
        return new Priced<>(new RadiusPlan(blocks, distance), nanos);
    }

    private record PricedBlock(Block block, double nanos) {}

    private List<PricedBlock> blocks(int[] radii) {
        List<List<Integer>> dealt = new ArrayList<>();
        Chance[] chances = new Chance[radii.length];
        for (int i = 0; i < radii.length; i++) {
            dealt.add(new ArrayList<>());
            chances[i] = new Chance(radii[i]);
        }
        for (int bit : bits) {
            int likeliest = -1;
            for (int i = 0; i < radii.length; i++) {
                if (dealt.get(i).size() < mostBits && (likeliest < 0 || chances[i].sum() > chances[likeliest].sum())) {
                    likeliest = i;
                }
            }
            if (likeliest >= 0) {
                dealt.get(likeliest).add(bit);
                chances[likeliest].add(agreement[bit]);
            }
        }
        return IntStream.range(0, radii.length)
                .mapToObj(i -> cheapest(dealt.get(i), radii[i]))
                .toList();
    }

    /** A block of the first of these bits. */
    private PricedBlock cheapest(List<Integer> dealt, int radius) {
        PricedBlock best = new PricedBlock(new Block(0, 0, radius), Double.POSITIVE_INFINITY);
        Chance chance = new Chance(radius);
        long first = 0;
        long rest = 0;
        for (int bit : dealt) {
            if (Long.bitCount(first) < DealtSlice.enoughBits(count)) {
                first |= 1L << bit;
            } else {
                rest |= 1L << bit;
            }
            chance.add(agreement[bit]);
            Block block = new Block(first, rest, radius);
            double nanos = nanos(block, Math.max(chance.sum(), pairs.near(block)), pairs.linked(block));
            if (nanos < best.nanos) {
                best = new PricedBlock(block, nanos);
            }
        }
        return best;
    }

    /**
     * @param near the share of pairs within the radius
     * @param linked the share of pairs that are links, too
     */
    private double nanos(Block block, double near, double linked) {
        double buckets = Math.pow(2, block.bits());
        double neighbours = ball(block.bits(), block.radius()) / 2;
        double loads = 1 + ball(Long.bitCount(block.first()), block.radius()) / 2;
        return count * (DEAL + SORT * loads)
                + buckets * neighbours * VISIT
                + count * neighbours * Math.min(1, count / buckets) * BlockChoice.BEGIN
                + (near * BlockChoice.EACH + linked * LINK) * count * (count - 1) / 2;
    }

    /** How many values of a width differ from one of them in at most so many bits. */
    private static double ball(int width, int radius) {
        double sum = 0;
        for (int bits = 0; bits <= Math.min(radius, width); bits++) {
            sum += BlockChoice.binomial(width, bits);
        }
        return sum;
    }

    /** How likely two fingerprints differ in at most so many of some bits, if no bit depends on another. */
    private static final class Chance {

        /** By number of differing bits. */
        private final double[] chances;

        Chance(int radius) {
            chances = new double[radius + 1];
            chances[0] = 1;
        }

        void add(double agreement) {
            for (int differing = chances.length - 1; differing > 0; differing--) {
                chances[differing] = chances[differing] * agreement + chances[differing - 1] * (1 - agreement);
            }
            chances[0] *= agreement;
        }

        double sum() {
            return Arrays.stream(chances).sum();
        }
    }
}
