/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.join.RadiusPlan.Block;

/**
 * Chooses the cheapest {@link RadiusPlan} from a sample, and estimates its cost. It deals the bits, those that separate best first, each to
 * the block that most pairs are still near by. Then each block keeps its first bits, as many as are cheapest.
 */
final class JoinCost {

    /** Strata up to this size are compared as a whole: to plan a join takes longer. */
    static final int SMALL = 4_096;

    /** Values of a stratum from which its join is planned. */
    static final int SAMPLE = 4_096;

    /** Nanoseconds to deal a fingerprint to its bin. */
    private static final double DEAL = 25;

    /** Nanoseconds to sort a fingerprint of a bin into its bucket. */
    private static final double SORT = 8;

    /** Nanoseconds to look at a pair of buckets. */
    private static final double VISIT = 5;

    /** Nanoseconds to meet a link. */
    static final double LINK = 20;

    /** Nanoseconds to begin to compare a fingerprint with a range of others, and for each of these. */
    private static final double BEGIN = 8;

    static final double EACH = 0.25;

    /** Nanoseconds to compare two fingerprints of a short range. */
    private static final double SHORT = 1.1;

    private static final int MOST_BLOCKS = 8;

    /** @param nanos of all threads together, links included */
    record Priced(RadiusPlan plan, double nanos) {}

    private final double[] agreement;
    private final int[] bits;
    private final PairSample pairs;
    private final long count;

    /** Buckets of fewer values than two cost more than they save. */
    private final int mostBits;

    private JoinCost(long[] sample, PairSample pairs, long count) {
        this.agreement = agreement(sample);
        this.bits = bestFirst(agreement);
        this.pairs = pairs;
        this.count = count;
        this.mostBits = Math.clamp(Long.SIZE - 2 - Long.numberOfLeadingZeros(count), 1, RadiusPlan.MOST_BITS);
    }

    /** The cheapest plan for a stratum: of a small one all pairs are compared. */
    static Priced cheapest(IntToLongFunction values, int from, int to, int distance) {
        int count = to - from;
        return count <= SMALL
                ? new Priced(RadiusPlan.whole(distance), count * comparing(count))
                : cheapest(sample(values, from, to, SAMPLE), count, distance);
    }

    /** By random fingerprints of a stratum of this size. It ignores equal ones, which a join compares once. Takes 10 to 250 ms. */
    static Priced cheapest(long[] sample, long count, int distance) {
        long[] distinct = Cliques.distinct(sample.clone());
        PairSample pairs = new PairSample(distinct, count, distance);
        JoinCost cost = new JoinCost(distinct, pairs, count);
        double links = LINK * pairs.links() * count * (count - 1) / 2;
        Priced best = new Priced(RadiusPlan.whole(distance), count * comparing((double) count) + links);
        for (int blocks = Math.min(distance + 1, 2); blocks <= Math.min(distance + 1, MOST_BLOCKS); blocks++) {
            Priced plan = cost.plan(blocks, distance);
            if (plan.nanos < best.nanos) {
                best = plan;
            }
        }
        return best;
    }

    /** At most {@code limit} values of a range, at equal intervals. */
    static long[] sample(IntToLongFunction values, int from, int to, int limit) {
        int count = to - from;
        long[] sample = new long[Math.min(limit, count)];
        Arrays.setAll(sample, i -> values.applyAsLong(from + (int) ((long) i * count / sample.length)));
        return sample;
    }

    /** Nanoseconds to compare a fingerprint with half of the others. */
    private static double comparing(double count) {
        return Math.min(SHORT * count / 2, BEGIN + EACH * count / 2);
    }

    /** For each bit, the share of pairs that agree on it: a half if half of the fingerprints have it set. */
    private static double[] agreement(long[] sample) {
        double[] agreement = new double[Long.SIZE];
        for (int bit = 0; bit < Long.SIZE; bit++) {
            int set = 0;
            for (long value : sample) {
                set += (int) (value >>> bit & 1);
            }
            double share = (double) set / Math.max(1, sample.length);
            agreement[bit] = share * share + (1 - share) * (1 - share);
        }
        return agreement;
    }

    /** The bits, those on which the fewest pairs agree first. */
    private static int[] bestFirst(double[] agreement) {
        return IntStream.range(0, Long.SIZE)
                .boxed()
                .sorted(Comparator.comparingDouble(bit -> agreement[bit]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private Priced plan(int count, int distance) {
        int[] radii = new int[count];
        // Each radius plus one, added up, is the distance plus one.
        Arrays.setAll(radii, i -> (distance + 1 + i) / count - 1);
        List<Block> blocks = new ArrayList<>();
        double nanos = 0;
        for (PricedBlock block : blocks(radii)) {
            blocks.add(block.block);
            nanos += block.nanos;
        }
        return new Priced(new RadiusPlan(blocks, distance), nanos);
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

    /** By the share of pairs within the radius, and of those that are links, too. */
    private double nanos(Block block, double near, double linked) {
        double buckets = Math.pow(2, block.bits());
        double neighbours = ball(block.bits(), block.radius()) / 2;
        double loads = 1 + ball(Long.bitCount(block.first()), block.radius()) / 2;
        return count * (DEAL + SORT * loads)
                + buckets * neighbours * VISIT
                + count * neighbours * Math.min(1, count / buckets) * BEGIN
                + (near * EACH + linked * LINK) * count * (count - 1) / 2;
    }

    /** How many values of a width differ from one of them in at most so many bits. */
    private static double ball(int width, int radius) {
        double sum = 0;
        double ways = 1;
        for (int bits = 0; bits <= Math.min(radius, width); bits++) {
            sum += ways;
            ways = ways * (width - bits) / (bits + 1);
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
            double sum = 0;
            for (double chance : chances) {
                sum += chance;
            }
            return sum;
        }
    }

    /** Pairs of random fingerprints of a sample, by the bits in which they differ. Equal fingerprints are no pair. */
    private static final class PairSample {

        private static final int LEAST = 256;
        private static final int MOST = 1_024;

        /** One fingerprint is drawn for so many that will be joined: planning is to take a small part of the join. */
        private static final int PART = 4_096;

        private final long[] differing;
        private final long[] links;

        /** @param count how many fingerprints will be joined */
        PairSample(long[] sample, long count, int distance) {
            long[] drawn = draw(sample, Math.clamp(count / PART, LEAST, MOST));
            long[] all = new long[drawn.length * (drawn.length - 1) / 2];
            int size = 0;
            for (int i = 0; i < drawn.length; i++) {
                for (int j = 0; j < i; j++) {
                    all[size] = drawn[i] ^ drawn[j];
                    size += all[size] == 0 ? 0 : 1;
                }
            }
            this.differing = size == all.length ? all : Arrays.copyOf(all, size);
            this.links = Arrays.stream(differing)
                    .filter(pair -> Long.bitCount(pair) <= distance)
                    .toArray();
        }

        /** At random: a sample in order would draw fingerprints that differ in their highest bits. */
        private static long[] draw(long[] sample, int limit) {
            if (sample.length <= limit) {
                return sample;
            }
            return new SplittableRandom(1)
                    .ints(limit, 0, sample.length)
                    .mapToLong(i -> sample[i])
                    .toArray();
        }

        double links() {
            return share(links.length);
        }

        double near(RadiusPlan.Block block) {
            return share(near(differing, block));
        }

        double linked(RadiusPlan.Block block) {
            return share(near(links, block));
        }

        private static long near(long[] pairs, RadiusPlan.Block block) {
            long near = 0;
            for (long pair : pairs) {
                near += block.isNear(pair) ? 1 : 0;
            }
            return near;
        }

        private double share(long pairs) {
            return (double) pairs / Math.max(1, differing.length);
        }
    }
}
