/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opensearch.simhash.core.Rounds;

/** Intervals hold the truth, which is known of simulated corpora, and are no wider than it takes. */
class CoverageTests {

    /** With the same seeds each time. */
    private static final int RUNS = Rounds.of("coverage.runs", 24, 200);

    private static final double LEAST = 0.92;
    private static final int DOCUMENTS = 300;
    private static final int PAIRS = 60;

    /** Those of equal and nearly equal documents, those that are suggested, and some of the rest. */
    private static final int[] BITS = {0, 1, 2, 3, 5, 7, 9, 11, 12, 14, 17, 20, SimulatedCorpus.MAX_DISTANCE};

    /** @param widest interval of the recall within the suggested step, on average */
    private record Case(String name, SimulatedCorpus corpus, double widest) {}

    /** From an estimate of 1 down to 0.3, in twentieths. */
    private static final int[] ESTIMATES = {0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14};

    private static Stream<Case> ofSketches() {
        return Stream.of(
                new Case("families", sketches(11).families(200, 2, 0.3, 0).single(2_600, 0), 0.5),
                new Case(
                        "one dense ball",
                        sketches(12)
                                .families(1, 60, 0.15, 0)
                                .families(100, 2, 0.3, 0)
                                .single(2_740, 0),
                        0.2),
                new Case(
                        "a large dense ball",
                        sketches(13).families(1, 300, 0.4, 0).single(2_700, 0),
                        0.25),
                new Case("chains", sketches(14).chains(100, 10).single(2_000, 0), 0.2),
                new Case(
                        "many equal",
                        sketches(15)
                                .families(1, 200, 0, 0)
                                .families(40, 10, 0.2, 0)
                                .families(200, 2, 0, 0)
                                .single(2_000, 0),
                        0.15),
                new Case("nothing near", sketches(16).single(3_000, 0), 1));
    }

    private static SimulatedCorpus sketches(long seed) {
        return new SimulatedCorpus(seed, true);
    }

    private static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        "uniform",
                        new SimulatedCorpus(1).families(200, 2, 0.2, 0.5).single(2_600, 0.5),
                        0.5),
                new Case(
                        "one dense ball",
                        new SimulatedCorpus(2)
                                .families(1, 60, 0.15, 0.5)
                                .families(100, 2, 0.2, 0.5)
                                .single(2_740, 0.5),
                        0.2),
                new Case(
                        "a large dense ball",
                        new SimulatedCorpus(3).families(1, 300, 0.25, 0.5).single(2_700, 0.5),
                        0.25),
                new Case("chains", new SimulatedCorpus(4).chains(100, 10).single(2_000, 0.5), 0.1),
                new Case(
                        "many equal",
                        new SimulatedCorpus(5)
                                .families(1, 200, 0, 0.5)
                                .families(5, 40, 0, 0.5)
                                .families(40, 10, 0.1, 0.5)
                                .families(200, 2, 0, 0.5)
                                .single(1_800, 0.5),
                        0.15),
                new Case(
                        "two languages",
                        new SimulatedCorpus(6)
                                .families(100, 2, 0.2, 0.5)
                                .single(1_300, 0.5)
                                .families(50, 4, 0.3, 0.2)
                                .single(1_300, 0.2),
                        0.5),
                new Case(
                        "drawn as a whole",
                        new SimulatedCorpus(7).families(30, 2, 0.2, 0.5).single(200, 0.5),
                        0.2),
                new Case("nothing near", new SimulatedCorpus(8).single(3_000, 0.5), 1));
    }

    @TestFactory
    Stream<DynamicTest> testIntervalsHoldTheTruth() {
        return cases().map(corpus -> DynamicTest.dynamicTest(corpus.name, () -> check(corpus, RUNS, BITS, 11)));
    }

    @TestFactory
    Stream<DynamicTest> testIntervalsOfSketchesHoldTheTruth() {
        return ofSketches()
                .map(corpus -> DynamicTest.dynamicTest(corpus.name, () -> check(corpus, RUNS, ESTIMATES, 6)));
    }

    /** What is drawn more makes the interval of the recall as narrow as said, for corpora of any shape. */
    @Test
    void testAsManyDocumentsAsSaidAreEnough() {
        List<Double> widths = new ArrayList<>();
        List<Double> ofFewer = new ArrayList<>();
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            SimulatedCorpus corpus = new SimulatedCorpus(seed);
            corpus.families(100 + random.nextInt(200), 2 + random.nextInt(4), 0.15 + 0.2 * random.nextDouble(), 0.5)
                    .chains(random.nextInt(10), 2 + random.nextInt(8))
                    .single(1_500 + random.nextInt(2_000), 0.5);
            int drawn = List.of(100, 200, 400).get(seed % 3);
            Suggestion first = suggestion(corpus, drawn, seed);
            long wanted = first.documentsToDraw(drawn, corpus.size());
            if (first.recall().high() - first.recall().low() <= 0.1) {
                assertEquals(drawn, wanted);
            } else if (wanted < corpus.size()) {
                widths.add(width(suggestion(corpus, (int) wanted, 1_000 + seed)));
                ofFewer.add(width(suggestion(corpus, (int) wanted / 8, 2_000 + seed)));
            }
        }
        assertTrue(widths.size() >= RUNS / 3, "a case in point: " + widths.size());
        assertTrue(share(widths) >= 0.85, share(widths) + ": " + widths);
        assertTrue(share(ofFewer) <= 0.5, "far fewer would do: " + share(ofFewer) + ": " + ofFewer);
    }

    private static Suggestion suggestion(SimulatedCorpus corpus, int documents, long seed) {
        return Suggestion.of(
                new Estimates(corpus.sample(documents, 200, seed)),
                SimulatedCorpus.NEAR,
                new Steps(false, 16),
                null,
                null);
    }

    private static double width(Suggestion suggestion) {
        return suggestion.recall().high() - suggestion.recall().low();
    }

    private static double share(List<Double> widths) {
        return widths.stream().filter(width -> width <= 0.1).count() / (double) widths.size();
    }

    /** @param suggested a step that is suggested often */
    private static void check(Case simulated, int runs, int[] steps, int suggested) {
        SimulatedCorpus corpus = simulated.corpus;
        SimulatedCorpus.Truth truth = corpus.truth();
        Map<String, Integer> held = new TreeMap<>();
        Map<String, Double> widths = new TreeMap<>();
        int reached = 0;
        double near = truth.within(truth.near(), corpus.last());
        for (int run = 0; run < runs; run++) {
            Estimates estimates = new Estimates(corpus.sample(DOCUMENTS, PAIRS, run));
            for (int distance : steps) {
                double pairs = truth.within(truth.pairs(), distance);
                double found = truth.within(truth.near(), distance);
                count("pairs", distance, estimates.pairs(distance), (double) truth.pairs()[distance], held, widths);
                if (truth.pairs()[distance] > 0) {
                    double share = (double) truth.near()[distance] / truth.pairs()[distance];
                    count("near", distance, estimates.near(distance), share, held, widths);
                }
                if (pairs > 0) {
                    count("precision", distance, estimates.precision(distance), found / pairs, held, widths);
                }
                if (near > 0) {
                    count("recall", distance, estimates.recall(distance), found / near, held, widths);
                }
            }
            Suggestion suggestion = Suggestion.of(estimates, SimulatedCorpus.NEAR, new Steps(false, 16), null, null);
            double recall = truth.within(truth.near(), suggestion.step()) / Math.max(1, near);
            reached += near == 0 || recall >= suggestion.recall().low() - 1e-9 ? 1 : 0;
        }
        List<String> missed = new ArrayList<>();
        held.forEach((what, count) -> {
            if (count < leastOf(runs)) {
                missed.add(what + " " + count);
            }
        });
        assertTrue(missed.isEmpty(), simulated.name + ", of " + runs + " runs: " + missed);
        assertTrue(reached >= leastOf(runs), "recall of the suggestion reached in " + reached);
        double width = widths.getOrDefault("recall at " + suggested, 0.0) / runs;
        assertTrue(width <= simulated.widest, "width of recall at " + suggested + ": " + width);
    }

    private static int leastOf(int runs) {
        return (int) (LEAST * runs);
    }

    private static void count(
            String what,
            int distance,
            Interval interval,
            double truth,
            Map<String, Integer> held,
            Map<String, Double> widths) {
        boolean holds = interval.low() <= truth + 1e-9 && truth <= interval.high() + 1e-9;
        held.merge(what + " at " + distance, holds ? 1 : 0, Integer::sum);
        widths.merge(what + " at " + distance, interval.high() - interval.low(), Double::sum);
    }
}
