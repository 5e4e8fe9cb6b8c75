/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.join.JoinCost.Priced;
import org.opensearch.simhash.core.join.PairSearch.Plan;
import org.opensearch.simhash.core.join.Values.Slice;

/**
 * Finds the links of hashes of more than 64 bits. It takes some of their words, one after the other. The distance is divided among
 * them, so that a near pair is within the radius of one of them at least, which is found as fingerprints are. The pair belongs to
 * the first such word. Words that are alike in most hashes are left out.
 */
final class HashSearches {

    /** Random pairs of a sample that tell how alike words are. */
    private static final int SAMPLED_PAIRS = 1 << 16;

    private static final int WIDTH = LongHash.MOST_BITS / Long.SIZE;

    private final Fingerprints hashes;
    private final Column words;
    private final int distance;

    HashSearches(Fingerprints hashes, int distance) {
        this.hashes = hashes;
        this.words = hashes.rows().words();
        this.distance = distance;
    }

    /** @param check throws to end the job */
    List<Search> searches(Runnable check) {
        List<Search> searches = new ArrayList<>();
        List<Plan> small = new ArrayList<>();
        for (Slice slice : hashes.slices()) {
            check.run();
            if (slice.size() > JoinCost.SMALL) {
                searches.addAll(cheapest(slice));
            } else if (slice.size() > 1) {
                small.add(new Plan(slice, RadiusPlan.whole(distance)));
            }
        }
        searches.add(PairSearch.of(new Word(new int[] {0}, new int[] {distance}, 0), distance, small));
        return searches;
    }

    /** By the words that are least alike, as many of them as are cheapest. */
    private List<Search> cheapest(Slice slice) {
        SampledWord[] sampled = IntStream.range(0, WIDTH)
                .mapToObj(word -> sampled(slice, word))
                .sorted(Comparator.comparingDouble(SampledWord::alike))
                .toArray(SampledWord[]::new);
        double pairs = slice.size() * (slice.size() - 1.0) / 2;
        List<Search> best = List.of();
        double least = Double.POSITIVE_INFINITY;
        for (int count = 1; count <= Math.min(WIDTH, distance + 1); count++) {
            int[] chosen =
                    Arrays.stream(sampled, 0, count).mapToInt(SampledWord::word).toArray();
            int[] radii = radii(count);
            List<Search> searches = new ArrayList<>();
            double nanos = 0;
            for (int i = 0; i < count; i++) {
                Priced plan = JoinCost.cheapest(sampled[i].values, slice.size(), radii[i]);
                // The plan takes values for distinct.
                nanos += plan.nanos() + sampled[i].equal * pairs * JoinCost.LINK;
                searches.add(
                        PairSearch.of(new Word(chosen, radii, i), radii[i], List.of(new Plan(slice, plan.plan()))));
            }
            if (nanos < least) {
                least = nanos;
                best = searches;
            }
        }
        return best;
    }

    private SampledWord sampled(Slice slice, int word) {
        long[] values = JoinCost.sample(i -> word(i, word), slice.from(), slice.to(), JoinCost.SAMPLE);
        int radius = distance / WIDTH;
        SplittableRandom random = new SplittableRandom(1);
        int near = 0;
        int equal = 0;
        long differing = 0;
        for (int i = 0; i < SAMPLED_PAIRS; i++) {
            int first = random.nextInt(values.length);
            int bits = Long.bitCount(
                    values[first] ^ values[(first + 1 + random.nextInt(values.length - 1)) % values.length]);
            near += bits <= radius ? 1 : 0;
            equal += bits == 0 ? 1 : 0;
            differing += bits;
        }
        double alike = near + 1 - (double) differing / Long.SIZE / SAMPLED_PAIRS;
        return new SampledWord(word, values, alike, (double) equal / SAMPLED_PAIRS);
    }

    /** Several of which each plus one, added up, are the distance plus one. The greatest first. */
    private int[] radii(int count) {
        return IntStream.range(0, count)
                .map(i -> (distance + count - i) / count - 1)
                .toArray();
    }

    private long word(int number, int word) {
        return words.get(hashes.words(number) + 1 + word);
    }

    /** A word of a sample of hashes; more alike where more pairs are near; the share of equal pairs. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record SampledWord(int word, long[] values, double alike, double equal) {}

    /** One word of each hash. Some are equal. */
    private final class Word implements Values {

        private final int[] chosen;
        private final int[] radii;
        private final int place;

        /** One of the chosen words, which are joined within these radii. */
        Word(int[] chosen, int[] radii, int place) {
            this.chosen = chosen;
            this.radii = radii;
            this.place = place;
        }

        @Override
        public void read(int from, int count, long[] values) {
            for (int i = 0; i < count; i++) {
                values[i] = word(from + i, chosen[place]);
            }
        }

        @Override
        public int distance(int a, int b, int differing) {
            int first = hashes.words(a) + 1;
            int second = hashes.words(b) + 1;
            for (int before = 0; before < place; before++) {
                if (differing(first, second, chosen[before]) <= radii[before]) {
                    return -1;
                }
            }
            int sum = 0;
            for (int word = 0; word < WIDTH; word++) {
                sum += differing(first, second, word);
            }
            return sum <= distance ? sum : -1;
        }

        private int differing(int first, int second, int word) {
            return Long.bitCount(words.get(first + word) ^ words.get(second + word));
        }
    }
}
