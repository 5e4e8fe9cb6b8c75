/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.opensearch.simhash.calibrate.sample.DensityTable;
import org.opensearch.simhash.calibrate.sample.Document;
import org.opensearch.simhash.calibrate.sample.DocumentDraw;
import org.opensearch.simhash.calibrate.sample.Draw;
import org.opensearch.simhash.calibrate.sample.FoundPair;
import org.opensearch.simhash.calibrate.sample.Surroundings;

/**
 * Documents of which everything is known: fingerprints, and how similar any two are. Families have a fingerprint of their own, of which
 * each member has some bits flipped, the more the more of it was edited.
 */
final class SimulatedCorpus {

    static final int MAX_DISTANCE = 24;
    static final double NEAR = 0.8;
    private static final double FLIPS = 0.6;
    private static final double UNRELATED = 0.1;

    private final Random random;
    private final List<Member> members = new ArrayList<>();
    private int families;

    /** @param place of the member in its family, where families are chains; else -1 */
    private record Member(long bits, int family, double edited, int place) {}

    SimulatedCorpus(long seed) {
        random = new Random(seed);
    }

    private long fingerprint(double ones) {
        return flipped(0, ones);
    }

    private long flipped(long bits, double share) {
        long flipped = bits;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            flipped ^= random.nextDouble() < share ? 1L << bit : 0;
        }
        return flipped;
    }

    /**
     * More families.
     *
     * @param most of a text is edited in a member
     * @param ones share of ones: the farther from one half, the more unrelated documents are near each other
     */
    SimulatedCorpus families(int count, int size, double most, double ones) {
        for (int i = 0; i < count; i++) {
            long first = fingerprint(ones);
            families++;
            for (int member = 0; member < size; member++) {
                double edited = most * random.nextDouble();
                members.add(new Member(flipped(first, FLIPS * edited), families, edited, -1));
            }
        }
        return this;
    }

    /** Documents without family. */
    SimulatedCorpus single(int count, double ones) {
        return families(count, 1, 0, ones);
    }

    /** Families of which each member was made of the one before. */
    SimulatedCorpus chains(int count, int size) {
        for (int i = 0; i < count; i++) {
            long bits = fingerprint(0.5);
            families++;
            for (int member = 0; member < size; member++) {
                members.add(new Member(bits, families, 0, member));
                bits = flipped(bits, 0.04);
            }
        }
        return this;
    }

    int size() {
        return members.size();
    }

    long bits(int document) {
        return members.get(document).bits;
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
        long[] pairs = new long[MAX_DISTANCE + 1];
        long[] near = new long[MAX_DISTANCE + 1];
        long[] bits = members.stream().mapToLong(Member::bits).toArray();
        for (int a = 0; a < bits.length; a++) {
            for (int b = a + 1; b < bits.length; b++) {
                int distance = Long.bitCount(bits[a] ^ bits[b]);
                if (distance <= MAX_DISTANCE) {
                    pairs[distance]++;
                    near[distance] += similarity(a, b) >= NEAR ? 1 : 0;
                }
            }
        }
        return new Truth(pairs, near);
    }

    /** What a calibration sees of it. */
    Sample sample(int documents, int pairs, long seed) {
        DensityTable densities = new DensityTable(size());
        members.forEach(member -> densities.add(member.bits));
        DocumentDraw drawing = new DocumentDraw(densities, documents, seed, bytes -> {});
        for (int i = 0; i < size(); i++) {
            drawing.add(document(i));
        }
        Draw draw = drawing.draw();
        Surroundings surroundings = new Surroundings(draw, densities, MAX_DISTANCE, pairs, seed);
        for (int i = 0; i < size(); i++) {
            surroundings.add(document(i));
        }
        List<SeenPair> seen = new ArrayList<>();
        for (FoundPair pair : surroundings.pairs()) {
            int first = (int) draw.documents().get(pair.first()).address();
            double similarity = similarity(first, (int) pair.other());
            seen.add(new SeenPair(
                    pair.first(),
                    pair.second(),
                    pair.distance(),
                    pair.size(),
                    pair.weight(),
                    similarity,
                    similarity >= NEAR));
        }
        return new Sample(draw.bands(), surroundings.counts(), surroundings.shares(), seen);
    }

    private Document document(int number) {
        return new Document(number, new long[] {bits(number)}, new int[] {0});
    }
}
