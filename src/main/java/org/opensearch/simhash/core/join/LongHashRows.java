/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.join.Fingerprints.DistinctFingerprints;
import org.opensearch.simhash.core.join.JoinCost.Priced;
import org.opensearch.simhash.core.join.NearJoin.Search;
import org.opensearch.simhash.core.join.PairSearch.BitSearch;
import org.opensearch.simhash.core.join.PairSearch.Plan;

/**
 * Rows with hashes of more than 64 bits, on the heap: those of fingerprints, where the number of a distinct hash stands in
 * place of its bits, and beside them the words of each distinct hash.
 *
 * <p>A join takes some of the words, one after the other. The distance is divided among them, so that a near pair is within the
 * radius of one of them at least, which is found as fingerprints are. The pair belongs to the first such word. Words that
 * are alike in most hashes are left out.
 *
 * <p>Memory: as of fingerprints, and 8 bytes for each word and 16 at most for each distinct hash. Not thread-safe.
 */
public final class LongHashRows extends FingerprintRows {

    private static final int FIRST = 1 << 10;

    /** Random pairs of a sample that tell how alike words are. */
    private static final int SAMPLED_PAIRS = 1 << 16;

    /** Words of a hash. */
    private static final int WIDTH = LongHash.MOST_BITS / Long.SIZE;

    private long[] words = new long[0];

    /** The number of a hash + 1, at the first free slot from its own on; 0 where none is. */
    private int[] slots = new int[0];

    private int size;

    public LongHashRows(LongConsumer memory) {
        super(FIRST, memory);
    }

    /** @param stratum only hashes of one stratum are compared */
    public void add(long address, LongHash hash, int stratum) {
        add(address, number(hash), 0, stratum);
    }

    /** The number of a hash: of an equal one, or the next. */
    private int number(LongHash hash) {
        if (2 * (size + 1) > slots.length) {
            grow();
        }
        int at = size * WIDTH;
        for (int i = 0; i < WIDTH; i++) {
            words[at + i] = hash.word(i);
        }
        int slot = slot(at);
        while (slots[slot] > 0) {
            int known = (slots[slot] - 1) * WIDTH;
            if (Arrays.equals(words, known, known + WIDTH, words, at, at + WIDTH)) {
                return slots[slot] - 1;
            }
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = ++size;
        return size - 1;
    }

    private int slot(int at) {
        long mixed = 0;
        for (int i = at; i < at + WIDTH; i++) {
            mixed = (mixed ^ words[i] ^ words[i] >>> 32) * 0x9E37_79B9_7F4A_7C15L;
        }
        return (int) (mixed >>> Integer.SIZE) & slots.length - 1;
    }

    private void grow() {
        int room = Math.max(FIRST, 2 * slots.length);
        account().take(((long) room - slots.length) * (WIDTH * Long.BYTES / 2 + Integer.BYTES));
        words = Arrays.copyOf(words, Math.multiplyExact(room / 2, WIDTH));
        slots = new int[room];
        for (int number = 0; number < size; number++) {
            int slot = slot(number * WIDTH);
            while (slots[slot] > 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = number + 1;
        }
    }

    @Override
    public long equalTexts(Chunks chunks, Cliques.Builder cliques, LongConsumer progress) {
        return 0;
    }

    @Override
    DistinctFingerprints distinct() {
        account().give((long) slots.length * Integer.BYTES);
        slots = new int[0];
        return new Hashes();
    }

    /** Distinct hashes; their values are their numbers. */
    private final class Hashes extends DistinctFingerprints {

        Hashes() {
            super(LongHashRows.this);
        }

        @Override
        public List<Search> searches(int distance, Runnable check) {
            if (distance == 0) {
                return List.of();
            }
            List<Search> searches = new ArrayList<>();
            List<Plan> small = new ArrayList<>();
            for (Slice slice : slices()) {
                check.run();
                if (slice.size() > JoinCost.SMALL) {
                    searches.addAll(cheapest(slice, distance));
                } else if (slice.size() > 1) {
                    Priced whole = JoinCost.whole(slice.size(), distance);
                    small.add(new Plan(slice, whole.plan(), whole.nanos()));
                }
            }
            searches.add(
                    new BitSearch(new Word(this, distance, new int[] {0}, new int[] {distance}, 0), distance, small));
            return searches;
        }

        /** By the words that are least alike, as many of them as are cheapest. */
        private List<Search> cheapest(Slice slice, int distance) {
            SampledWord[] sampled = IntStream.range(0, WIDTH)
                    .mapToObj(word -> sampled(slice, word, distance))
                    .sorted(Comparator.comparingDouble(SampledWord::alike))
                    .toArray(SampledWord[]::new);
            double pairs = slice.size() * (slice.size() - 1.0) / 2;
            List<Search> best = List.of();
            double least = Double.POSITIVE_INFINITY;
            for (int count = 1; count <= Math.min(WIDTH, distance + 1); count++) {
                int[] chosen = Arrays.stream(sampled, 0, count)
                        .mapToInt(SampledWord::word)
                        .toArray();
                int[] radii = radii(count, distance);
                List<Search> searches = new ArrayList<>();
                double nanos = 0;
                for (int i = 0; i < count; i++) {
                    Priced plan = JoinCost.cheapest(sampled[i].values, slice.size(), radii[i]);
                    // The plan takes values for distinct.
                    nanos += plan.nanos() + sampled[i].equal * pairs * JoinCost.LINK;
                    searches.add(new BitSearch(
                            new Word(this, distance, chosen, radii, i),
                            radii[i],
                            List.of(new Plan(slice, plan.plan(), plan.nanos()))));
                }
                if (nanos < least) {
                    least = nanos;
                    best = searches;
                }
            }
            return best;
        }

        private SampledWord sampled(Slice slice, int word, int distance) {
            long[] values = sample(slice, JoinCost.SAMPLE);
            Arrays.setAll(values, i -> words[(int) values[i] * WIDTH + word]);
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
        private static int[] radii(int count, int distance) {
            return IntStream.range(0, count)
                    .map(i -> (distance + count - i) / count - 1)
                    .toArray();
        }

        @Override
        public void refuseTooMany(long mostLinks, int distance) {
            throw new IllegalArgumentException(
                    "[max_distance] must be smaller for hashes of more than 64 bits, whose links are all kept unless"
                            + " [linkage] is chain: more than " + mostLinks
                            + " do not fit into [plugins.simhash.deduplicate.memory], got: " + distance);
        }
    }

    /**
     * A word of a sample of hashes.
     *
     * @param alike greater where more pairs are near
     * @param equal share of pairs
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record SampledWord(int word, long[] values, double alike, double equal) {}

    /** One word of each hash. Some are equal. */
    private final class Word implements PairSearch.Values {

        private final Hashes numbers;
        private final int distance;
        private final int[] chosen;
        private final int[] radii;
        private final int place;

        /**
         * @param chosen the words that are joined
         * @param radii of these
         * @param place of this word among them
         */
        Word(Hashes numbers, int distance, int[] chosen, int[] radii, int place) {
            this.numbers = numbers;
            this.distance = distance;
            this.chosen = chosen;
            this.radii = radii;
            this.place = place;
        }

        private int at(int number) {
            return (int) numbers.value(number) * WIDTH;
        }

        @Override
        public int read(int from, int to, long[] values, int[] read) {
            int count = numbers.read(from, to, values, read);
            for (int i = 0; i < count; i++) {
                values[i] = words[(int) values[i] * WIDTH + chosen[place]];
            }
            return count;
        }

        @Override
        public int distance(int a, int b, int differing) {
            int first = at(a);
            int second = at(b);
            for (int before = 0; before < place; before++) {
                int word = chosen[before];
                if (Long.bitCount(words[first + word] ^ words[second + word]) <= radii[before]) {
                    return -1;
                }
            }
            int sum = 0;
            for (int word = 0; word < WIDTH; word++) {
                sum += Long.bitCount(words[first + word] ^ words[second + word]);
            }
            return sum <= distance ? sum : -1;
        }
    }
}
