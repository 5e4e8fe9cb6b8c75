/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.sample.DensityTable;
import org.opensearch.simhash.core.sample.Document;
import org.opensearch.simhash.core.sample.DocumentDraw;
import org.opensearch.simhash.core.sample.Draw;
import org.opensearch.simhash.core.sample.Nearness;
import org.opensearch.simhash.core.sample.SketchSteps;
import org.opensearch.simhash.core.sample.Surroundings;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.sketch.SketchWords;

/**
 * Documents of which everything is known: fingerprints or sketches, and how similar any two are. Families have one of their own, of
 * which each member has some bits or components changed, the more the more of it was edited.
 */
final class SimulatedCorpus {

    static final int MAX_DISTANCE = 24;
    static final double NEAR = 0.8;
    private static final double FLIPS = 0.6;
    private static final double UNRELATED = 0.1;
    private static final double CHAINED = 0.12;

    private static final int PERMUTATIONS = 128;

    private final Random random;
    private final boolean areSketches;
    private final Nearness nearness;
    private final List<Member> members = new ArrayList<>();
    private int families;

    /** Null until they are needed. */
    private Known known;

    private DensityTable densities;

    /** @param place of the member in its family, where families are chains; else -1 */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Member(long[] value, int family, double edited, int place) {}

    SimulatedCorpus(long seed) {
        this(seed, false);
    }

    /** @param areSketches in place of fingerprints */
    SimulatedCorpus(long seed, boolean areSketches) {
        this.random = new Random(seed);
        this.areSketches = areSketches;
        this.nearness = areSketches ? new SketchSteps() : new Nearness.Bits(MAX_DISTANCE);
    }

    private long[] value(double ones) {
        return areSketches ? edited(new byte[Integer.BYTES + PERMUTATIONS], 1) : new long[] {flipped(0, ones)};
    }

    private long flipped(long bits, double share) {
        long flipped = bits;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            flipped ^= random.nextDouble() < share ? 1L << bit : 0;
        }
        return flipped;
    }

    /** Of a text of which a share was edited: so many components change. */
    private long[] edited(byte[] sketch, double share) {
        for (int i = Integer.BYTES; i < sketch.length; i++) {
            sketch[i] = random.nextDouble() < share ? (byte) random.nextInt() : sketch[i];
        }
        return words(new Sketch(sketch));
    }

    private long[] edited(long[] value, double share) {
        if (areSketches == false) {
            return new long[] {flipped(value[0], FLIPS * share)};
        }
        byte[] sketch = new byte[Integer.BYTES + PERMUTATIONS];
        for (int i = 0; i < PERMUTATIONS; i++) {
            sketch[Integer.BYTES + i] = (byte) (value[1 + i / Long.BYTES] >>> (Byte.SIZE * (i % Long.BYTES)));
        }
        return edited(sketch, share);
    }

    /**
     * More families.
     *
     * @param most of a text is edited in a member
     * @param ones share of ones: the farther from one half, the more unrelated documents are near each other
     */
    SimulatedCorpus families(int count, int size, double most, double ones) {
        for (int i = 0; i < count; i++) {
            long[] first = value(ones);
            families++;
            for (int member = 0; member < size; member++) {
                double edited = most * random.nextDouble();
                members.add(new Member(edited(first, edited), families, edited, -1));
            }
        }
        return this;
    }

    /** Documents without family. */
    SimulatedCorpus single(int count, double ones) {
        return families(count, 1, 0, ones);
    }

    /** A document each that is near many, of which no two are near. Stands anywhere among them. */
    SimulatedCorpus stars(int count, int size) {
        for (int i = 0; i < count; i++) {
            long[] middle = value(0.5);
            families++;
            int place = random.nextInt(size);
            for (int member = 0; member < size; member++) {
                double edited = member == place ? 0 : 0.11 + 0.08 * random.nextDouble();
                members.add(new Member(edited(middle, edited), families, edited, -1));
            }
        }
        return this;
    }

    /** Families of which each member was made of the one before. */
    SimulatedCorpus chains(int count, int size) {
        for (int i = 0; i < count; i++) {
            long[] value = value(0.5);
            families++;
            for (int member = 0; member < size; member++) {
                members.add(new Member(value, families, 0, member));
                value = edited(value, areSketches ? CHAINED : 0.04 / FLIPS);
            }
        }
        return this;
    }

    int last() {
        return nearness.last();
    }

    int size() {
        return members.size();
    }

    double similarity(int a, int b) {
        Member first = members.get(a);
        Member second = members.get(b);
        if (first.family != second.family) {
            return UNRELATED;
        }
        return Math.max(0, 1 - first.edited - second.edited - 0.12 * Math.abs(first.place - second.place));
    }

    /**
     * All pairs, by distance.
     *
     * @param pairs at a distance
     * @param near those of them that are near
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Truth(long[] pairs, long[] near) {

        double within(long[] counts, int distance) {
            long sum = 0;
            for (int e = 0; e <= distance; e++) {
                sum += counts[e];
            }
            return sum;
        }
    }

    Truth truth() {
        long[] pairs = new long[last() + 1];
        long[] near = new long[last() + 1];
        for (int a = 0; a < size(); a++) {
            byte[] steps = known().steps[a];
            for (int b = a + 1; b < size(); b++) {
                if (steps[b] >= 0) {
                    pairs[steps[b]]++;
                    near[steps[b]] += similarity(a, b) >= NEAR ? 1 : 0;
                }
            }
        }
        return new Truth(pairs, near);
    }

    /** The documents are final from here on. */
    private Known known() {
        if (known == null) {
            known = new Known();
        }
        return known;
    }

    /** Compares any two documents once: all samples are drawn from the same ones. One thread. */
    private final class Known implements Nearness {

        /** Between any two documents; negative if they are far from each other. */
        private final byte[][] steps = new byte[size()][size()];

        /** A document by its value. */
        private final Map<LongBuffer, Integer> numbers = new HashMap<>();

        private long[] drawn = {};
        private int[] drawnNumbers = {};

        Known() {
            long[] all = members.stream()
                    .flatMapToLong(member -> Arrays.stream(member.value))
                    .toArray();
            for (int i = 0; i < size(); i++) {
                long[] value = members.get(i).value;
                byte[] ofDocument = steps[i];
                Arrays.fill(ofDocument, (byte) -1);
                nearness.compare(value, 0, all, value.length, (other, step) -> ofDocument[other] = (byte) step);
                numbers.put(LongBuffer.wrap(value), i);
            }
        }

        @Override
        public int last() {
            return nearness.last();
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // The same array has the same documents.
        public void compare(long[] values, int at, long[] others, int length, Meeting meeting) {
            if (drawn != others) {
                drawn = others;
                drawnNumbers = IntStream.range(0, others.length / length)
                        .map(k -> numbers.get(LongBuffer.wrap(others, k * length, length)))
                        .toArray();
            }
            byte[] ofDocument = steps[numbers.get(LongBuffer.wrap(values, at, length))];
            for (int k = 0; k < drawnNumbers.length; k++) {
                byte step = ofDocument[drawnNumbers[k]];
                if (step >= 0) {
                    meeting.meet(k, step);
                }
            }
        }
    }

    /** What a calibration sees of it. */
    Sample sample(int documents, int pairs, long seed) {
        return sample(draw(documents, seed), pairs, seed);
    }

    Draw draw(int documents, long seed) {
        if (densities == null) {
            densities = new DensityTable(size());
            for (int i = 0; i < size(); i++) {
                densities.add(document(i));
            }
        }
        DocumentDraw drawing = new DocumentDraw(densities, documents, seed, bytes -> {});
        for (int i = 0; i < size(); i++) {
            drawing.add(document(i));
        }
        return drawing.draw();
    }

    /** That a document is drawn. */
    double chance(Draw draw, long number) {
        return 1 / draw.weightOfDensity()[densities.band(document((int) number))];
    }

    Sample sample(Draw draw, int pairs, long seed) {
        Surroundings surroundings = new Surroundings(draw, densities, known(), pairs, seed);
        for (int i = 0; i < size(); i++) {
            surroundings.add(document(i));
        }
        List<Sample.Pair> seen = new ArrayList<>();
        for (Surroundings.FoundPair pair : surroundings.pairs()) {
            int first = (int) draw.documents().get(pair.first()).address();
            double similarity = similarity(first, (int) pair.other());
            seen.add(new Sample.Pair(
                    pair.first(),
                    pair.second(),
                    pair.other(),
                    pair.distance(),
                    pair.size(),
                    pair.weight(),
                    similarity,
                    similarity >= NEAR));
        }
        return new Sample(draw.bands(), surroundings.shares(), seen);
    }

    private Document document(int number) {
        return new Document(number, members.get(number).value, new int[] {0});
    }

    /** The words of a sketch alone. */
    static long[] words(Sketch sketch) {
        long[] words = new long[SketchWords.length(sketch.permutations())];
        SketchWords.write(sketch.bytes(), SketchWords.HEADER, sketch.permutations(), words, 0);
        return words;
    }
}
