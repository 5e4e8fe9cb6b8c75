/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.sketch.SketchWords;

/** Draws are by chance, the same for the same seed, and what is around them is counted exactly. */
class SampleTests {

    private static final int DOCUMENTS = 1_000;

    private final Random random = new Random(3);
    private final List<Document> documents = new ArrayList<>();

    private void add(long... bits) {
        documents.add(new Document(documents.size(), bits, new int[bits.length]));
    }

    private void fill() {
        while (documents.size() < DOCUMENTS) {
            add(random.nextLong());
        }
    }

    private DensityTable densities() {
        DensityTable densities = new DensityTable(documents.size());
        documents.forEach(densities::add);
        return densities;
    }

    private Draw draw(int size, long seed) {
        DocumentDraw drawing = new DocumentDraw(densities(), size, seed, bytes -> {});
        documents.forEach(drawing::add);
        return drawing.draw();
    }

    private static List<Long> addresses(Draw draw) {
        return draw.documents().stream().map(Document::address).toList();
    }

    private Surroundings surroundings(Draw draw, int pairs) {
        Surroundings surroundings = new Surroundings(draw, densities(), new Nearness.Bits(24), pairs, 1);
        documents.forEach(surroundings::add);
        return surroundings;
    }

    @Test
    void testASeedDrawsTheSameDocumentsAgain() {
        fill();
        assertEquals(addresses(draw(100, 1)), addresses(draw(100, 1)));
        assertTrue(addresses(draw(100, 1)).equals(addresses(draw(100, 2))) == false);
        assertEquals(100, draw(100, 1).documents().size());
        assertEquals(DOCUMENTS, draw(5_000, 1).documents().size());
        assertEquals(0, new SampleTests().draw(100, 1).documents().size());
    }

    /** A draw or two cannot look into each band: then all documents are one. */
    @Test
    void testFewDrawsStandForAll() {
        long centre = random.nextLong();
        for (int i = 0; i < 20; i++) {
            add(centre ^ 1L << i);
        }
        fill();
        for (int size = 1; size < 4; size++) {
            Draw draw = draw(size, 1);
            double sum = 0;
            for (double weight : draw.bands().weights()) {
                sum += weight;
            }
            assertEquals(size, draw.documents().size());
            assertEquals(DOCUMENTS, sum, 1e-6);
        }
    }

    /** Both parts of a pair are two, whichever bands its documents were drawn from. */
    @Test
    void testThePartsOfAPairAreTwo() {
        long centre = random.nextLong();
        for (int i = 0; i < 20; i++) {
            add(centre ^ 1L << i);
        }
        fill();
        double sum = 0;
        for (int seed = 0; seed < 300; seed++) {
            Draw draw = draw(100, seed);
            Surroundings surroundings = surroundings(draw, 1);
            double[] weights = draw.bands().weights();
            for (int i = 0; i < weights.length; i++) {
                sum += weights[i] * surroundings.shares()[i][24];
            }
        }
        double all = 0;
        for (Document one : documents) {
            all += documents.stream()
                    .filter(other -> Long.bitCount(one.bits()[0] ^ other.bits()[0]) == 24)
                    .count();
        }
        assertEquals(all, sum / 300, 0.02 * all);
    }

    /** Each document is drawn as often as others of its band, and stands for the more documents the less often that is. */
    @Test
    void testDrawsAreByChance() {
        fill();
        int[] drawn = new int[DOCUMENTS];
        double sum = 0;
        for (int seed = 0; seed < 500; seed++) {
            Draw draw = draw(100, seed);
            double[] weights = draw.bands().weights();
            for (int i = 0; i < weights.length; i++) {
                sum += weights[i];
                drawn[(int) draw.documents().get(i).address()]++;
            }
        }
        assertEquals(DOCUMENTS, sum / 500, 1e-6);
        for (int count : drawn) {
            assertTrue(count > 15 && count < 250, "a document was drawn " + count + " times of 500");
        }
    }

    /** Twenty of a thousand: two of a hundred would be drawn. */
    @Test
    void testACrowdIsDrawnMoreOften() {
        long centre = random.nextLong();
        for (int i = 0; i < 20; i++) {
            add(centre ^ 1L << i);
        }
        fill();
        long crowd =
                addresses(draw(100, 1)).stream().filter(address -> address < 20).count();
        assertTrue(crowd >= 15, "drawn of the crowd: " + crowd);
    }

    /** Of a pair for a drawn document: the one that stands for more counts less. */
    private double share(Draw draw, int drawn, Document other) {
        double weight = draw.weightOfDensity()[densities().band(other)];
        return 2 * weight / (draw.bands().weights()[drawn] + weight);
    }

    @Test
    void testSurroundingsAreThoseOfBruteForce() {
        add(random.nextLong(), random.nextLong());
        add(
                documents.getFirst().bits()[1] ^ 3,
                random.nextLong(),
                documents.getFirst().bits()[0] ^ 1);
        add(documents.getFirst().bits()[0]);
        fill();
        Draw draw = draw(200, 1);
        double[][] shares = surroundings(draw, 10).shares();
        for (int i = 0; i < shares.length; i++) {
            double[] expected = new double[25];
            for (Document other : documents) {
                int nearest = Integer.MAX_VALUE;
                for (long a : draw.documents().get(i).bits()) {
                    for (long b : other.bits()) {
                        nearest = Math.min(nearest, Long.bitCount(a ^ b));
                    }
                }
                if (nearest <= 24 && other.address() != draw.documents().get(i).address()) {
                    expected[nearest] += share(draw, i, other);
                }
            }
            assertArrayEquals(expected, shares[i], 1e-9);
        }
    }

    /** Sketches of a document, of which the nearest counts, by their estimated similarity. */
    @Test
    void testSurroundingsOfSketchesAreThoseOfBruteForce() {
        List<List<Sketch>> sketches = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            List<Sketch> ofDocument = new ArrayList<>();
            for (int k = 0; k < 1 + i % 2; k++) {
                byte[] bytes = new byte[Integer.BYTES + 100];
                new Random(i % 7 + 10 * k).nextBytes(bytes);
                for (int edit = random.nextInt(80); edit > 0; edit--) {
                    bytes[Integer.BYTES + random.nextInt(100)] = (byte) random.nextInt();
                }
                ofDocument.add(new Sketch(bytes));
            }
            sketches.add(ofDocument);
            long[] values = ofDocument.stream()
                    .flatMapToLong(sketch -> Arrays.stream(words(sketch)))
                    .toArray();
            documents.add(new Document(i, values, new int[ofDocument.size()]));
        }
        Draw draw = draw(100, 1);
        Surroundings surroundings = new Surroundings(draw, densities(), new SketchSteps(), 10, 1);
        documents.forEach(surroundings::add);
        int found = 0;
        for (int i = 0; i < draw.documents().size(); i++) {
            double[] expected = new double[15];
            int first = (int) draw.documents().get(i).address();
            for (int other = 0; other < sketches.size(); other++) {
                double most = 0;
                for (Sketch a : sketches.get(first)) {
                    for (Sketch b : sketches.get(other)) {
                        most = Math.max(most, Sketch.similarity(a.agreeing(b), 100));
                    }
                }
                int step = 0;
                while (step < 15 && most < SketchSteps.estimate(step)) {
                    step++;
                }
                if (step < 15 && other != first) {
                    expected[step] += share(draw, i, documents.get(other));
                    found++;
                }
            }
            assertArrayEquals(expected, surroundings.shares()[i], 1e-9);
        }
        assertTrue(found > 1_000, "" + found);
    }

    /** Of another scheme, or of none that was drawn. */
    @Test
    void testOnlyFingerprintsOfOneStratumAreCompared() {
        documents.add(new Document(0, new long[] {7}, new int[] {0}));
        documents.add(new Document(1, new long[] {7}, new int[] {1}));
        documents.add(new Document(2, new long[] {7}, new int[] {0}));
        double[] weights = new double[DensityTable.BANDS];
        Arrays.fill(weights, 3);
        Draw draw = new Draw(documents.subList(0, 1), new Draw.Bands(new long[] {3}, new int[1]), weights);
        assertEquals(1, surroundings(draw, 10).shares()[0][0]);
    }

    /** A pair of two drawn documents is found from both, and compared once. */
    @Test
    void testAPairIsChosenOnce() {
        fill();
        List<Surroundings.FoundPair> pairs =
                surroundings(draw(DOCUMENTS, 1), 100_000).pairs();
        long all = 0;
        for (Document a : documents) {
            for (Document b : documents) {
                all += a.address() < b.address() && Long.bitCount(a.bits()[0] ^ b.bits()[0]) <= 24 ? 1 : 0;
            }
        }
        assertEquals(all, pairs.size());
        assertTrue(pairs.stream().allMatch(pair -> pair.weight() == 2 && pair.size() == 2 && pair.second() >= 0));
    }

    /** On average, what was chosen stands for all there is, and for any part of it. */
    @Test
    void testChosenPairsStandForAll() {
        double[] sizes = new double[400];
        double total = 0;
        double even = 0;
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = 1 + random.nextInt(20);
            total += sizes[i];
            even += i % 2 == 0 ? sizes[i] : 0;
        }
        double sum = 0;
        double sumOfEven = 0;
        int runs = 500;
        for (int run = 0; run < runs; run++) {
            Surroundings.PairChoice choice = new Surroundings.PairChoice(50);
            for (int i = 0; i < sizes.length; i++) {
                choice.add(0, -1, i, sizes[i], random.nextLong());
            }
            List<Surroundings.FoundPair> chosen = choice.chosen(0);
            assertEquals(50, chosen.size());
            for (Surroundings.FoundPair pair : chosen) {
                sum += pair.weight() / runs;
                sumOfEven += pair.other() % 2 == 0 ? pair.weight() / runs : 0;
            }
        }
        assertEquals(total, sum, total * 0.02);
        assertEquals(even, sumOfEven, even * 0.04);
    }

    private static long[] words(Sketch sketch) {
        long[] words = new long[SketchWords.length(sketch.permutations())];
        SketchWords.write(sketch.bytes(), SketchWords.HEADER, sketch.permutations(), words, 0);
        return words;
    }
}
