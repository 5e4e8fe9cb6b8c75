/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.sample.Draw;

/** What is seen as a whole is told as it is; what is not seen is not known. */
class EstimatesTests {

    private static Sample sample(Draw.Bands bands, int[][] counts, List<Sample.Pair> seen) {
        double[][] shares = Arrays.stream(counts)
                .map(row -> Arrays.stream(row).asDoubleStream().toArray())
                .toArray(double[][]::new);
        return new Sample(bands, shares, seen);
    }

    /** Documents 0, 1, 2 are near each other, 3 is near none; a pair of 3 and 4 is not near, though its distance is 2. */
    private static Sample whole() {
        int[][] counts = {{1, 1, 0}, {1, 1, 0}, {0, 2, 0}, {0, 0, 1}, {0, 0, 1}};
        List<Sample.Pair> seen = List.of(
                new Sample.Pair(0, 1, 0, 0, 2, 2, 1, true),
                new Sample.Pair(0, 2, 0, 1, 2, 2, 0.9, true),
                new Sample.Pair(1, 2, 0, 1, 2, 2, 0.8, true),
                new Sample.Pair(3, 4, 0, 2, 2, 2, 0.3, false));
        return sample(new Draw.Bands(new long[] {5}, new int[5]), counts, seen);
    }

    @Test
    void testASampleOfAllIsTheTruth() {
        Estimates estimates = new Estimates(whole());
        assertEquals(new Interval(1.0, 1, 1), estimates.pairs(0));
        assertEquals(new Interval(2.0, 2, 2), estimates.pairs(1));
        assertEquals(new Interval(0.0, 0, 0), estimates.near(2));
        assertEquals(new Interval(0.75, 0.75, 0.75), estimates.precision(2));
        assertEquals(1 / 3.0, estimates.recall(0).estimate(), 1e-12);
        assertEquals(1, estimates.recall(1).low());
        assertArrayEquals(new double[] {0.8, 0.8, 0.9}, estimates.similarities(1));
    }

    @Test
    void testPairsWithinADistanceAreThoseOfASimilarity() {
        Estimates estimates = new Estimates(whole());
        assertEquals(3, estimates.pairsWithin(2, 0.8), 1e-12);
        assertEquals(4, estimates.pairsWithin(2, 0), 1e-12);
        assertEquals(2, estimates.pairsWithin(2, 0.9), 1e-12);
        assertEquals(0, estimates.pairsWithin(0, 1.1), 1e-12);
    }

    @Test
    void testAllOrNothingHasAWidthWhereNotAllWasSeen() {
        int[][] counts = new int[20][3];
        List<Sample.Pair> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            counts[i][0] = 1;
            counts[i][2] = 1;
            seen.add(new Sample.Pair(i, -1, 0, 0, 5, 5, 1, true));
            seen.add(new Sample.Pair(i, -1, 0, 2, 5, 5, 0.1, false));
        }
        Estimates estimates = new Estimates(sample(new Draw.Bands(new long[] {100}, new int[20]), counts, seen));
        assertEquals(1, estimates.near(0).estimate());
        assertTrue(estimates.near(0).low() < 0.9, estimates.near(0).toString());
        assertEquals(0, estimates.near(2).estimate());
        assertTrue(estimates.near(2).high() > 0.1, estimates.near(2).toString());
        assertEquals(1, estimates.recall(0).estimate());
        assertTrue(estimates.recall(0).low() < 0.9, estimates.recall(0).toString());
        Interval none = estimates.pairs(1);
        assertEquals(0, none.estimate());
        assertTrue(none.high() > 5, none.toString());
        assertNull(estimates.near(1).estimate());
        assertNull(estimates.similarities(1));
    }

    /** What a distance finds, a larger one finds, too: near pairs far apart among many others must not lower what is sure. */
    @Test
    void testBothEndsOfRecallGrowWithTheDistance() {
        SimulatedCorpus corpus =
                new SimulatedCorpus(9).families(60, 3, 0.35, 0.5).single(2_500, 0.3);
        for (int run = 0; run < 20; run++) {
            Estimates estimates = new Estimates(corpus.sample(300, 30, run));
            for (int distance = 1; distance <= SimulatedCorpus.MAX_DISTANCE; distance++) {
                Interval less = estimates.recall(distance - 1);
                Interval more = estimates.recall(distance);
                String both = distance + " bits: " + less + ", " + more;
                assertTrue(less.low() <= more.low(), both);
                assertTrue(less.high() <= more.high(), both);
            }
        }
    }

    /** Pairs were found, and none was compared. */
    @Test
    void testWhatWasNotComparedIsNotKnown() {
        int[][] counts = {{3, 0}, {0, 1}};
        List<Sample.Pair> seen = List.of(new Sample.Pair(1, -1, 0, 1, 2, 2, 1, true));
        Estimates estimates = new Estimates(sample(new Draw.Bands(new long[] {4}, new int[2]), counts, seen));
        assertEquals(Interval.UNKNOWN, estimates.near(0));
        assertEquals(Interval.UNKNOWN, estimates.precision(1));
        assertEquals(Interval.UNKNOWN, estimates.recall(1));
        assertNotNull(estimates.near(1).estimate());
    }

    @Test
    void testWithoutANearPairTheDefaultIsSuggested() {
        int[][] counts = {{0, 0, 1}, {0, 0, 1}};
        List<Sample.Pair> seen = List.of(new Sample.Pair(0, 1, 0, 2, 2, 2, 0.2, false));
        Estimates estimates = new Estimates(sample(new Draw.Bands(new long[] {2}, new int[2]), counts, seen));
        Suggestion suggestion = Suggestion.of(estimates, 0.8, new Steps(false, 16), null, null);
        assertEquals(2, suggestion.step());
        assertTrue(suggestion.verify());
        assertNull(suggestion.recall().estimate());
        assertEquals(0, suggestion.pairs());
        assertTrue(suggestion.why().startsWith("No near pair was seen"), suggestion.why());
    }

    /** Three pairs that are all equal say little of the others. */
    @Test
    void testAFewNearPairsSuggestNoLessThanTheDefault() {
        for (int near : new int[] {3, 1_000}) {
            int[][] counts = new int[near][13];
            List<Sample.Pair> seen = new ArrayList<>();
            for (int i = 0; i < near; i++) {
                counts[i][1] = 1;
                seen.add(new Sample.Pair(i, -1, 0, 1, 1, 1, 1, true));
            }
            Estimates estimates =
                    new Estimates(sample(new Draw.Bands(new long[] {10_000}, new int[near]), counts, seen));
            Suggestion suggestion = Suggestion.of(estimates, 0.8, new Steps(false, 16), null, null);
            assertEquals(near == 3 ? 11 : 1, suggestion.step(), suggestion.why());
            assertEquals(
                    near == 3, suggestion.why().endsWith("the default: look at more documents."), suggestion.why());
        }
    }

    /** One more bit is worth it when it finds more. */
    @Test
    void testTheSuggestionIsTheSmallestDistanceThatFindsEnough() {
        int near = 1_000;
        int[][] counts = new int[near][4];
        List<Sample.Pair> seen = new ArrayList<>();
        for (int i = 0; i < near; i++) {
            int distance = i < 980 ? 1 : 2;
            counts[i][distance] = 1;
            seen.add(new Sample.Pair(i, -1, 0, distance, 1, 1, 1, true));
            counts[i][3] = 1;
            seen.add(new Sample.Pair(i, -1, 0, 3, 1, 1, 0, false));
        }
        Estimates estimates = new Estimates(sample(new Draw.Bands(new long[] {near}, new int[near]), counts, seen));
        Suggestion even = Suggestion.of(estimates, 0.8, new Steps(false, 16), null, null);
        assertEquals(2, even.step());
        assertFalse(even.verify());
        assertEquals(
                "Within 2 bits are 100 % of the near pairs seen, within 1 bit are 98 %; and 100 % of what is found is near without a look at"
                        + " the texts.",
                even.why());
    }

    /** A job that looks farther would be refused. */
    @Test
    void testNoDistanceIsSuggestedThatNoJobTakes() {
        int[][] counts = new int[100][4];
        List<Sample.Pair> seen = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int distance = i < 60 ? 1 : 3;
            counts[i][distance] = 1;
            seen.add(new Sample.Pair(i, -1, 0, distance, 1, 1, 1, true));
        }
        Estimates estimates = new Estimates(sample(new Draw.Bands(new long[] {100}, new int[100]), counts, seen));
        Suggestion suggestion = Suggestion.of(estimates, 0.8, new Steps(false, 2), null, null);
        assertEquals(1, suggestion.step(), "no more are within 2 bits");
        assertEquals(0.6, suggestion.recall().estimate(), 1e-9);
        assertTrue(
                suggestion
                        .why()
                        .startsWith(
                                "Within 1 bit are 60 % of the near pairs seen, as many as within 2 bits, and no job looks farther: [minhash] finds what differs more"),
                suggestion.why());
    }

    /** The same pairs, found in another way. Records may be equal, pairs are not. */
    @Test
    void testTheSentenceSaysWhatSketchesFindOfTheSamePairs() {
        int[][] counts = new int[100][4];
        List<Sample.Pair> seen = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            counts[i][i < 60 ? 1 : 3] = 1;
            seen.add(new Sample.Pair(i, -1, 0, i < 60 ? 1 : 3, 1, 1, i < 90 ? 1 : 0.1, i < 90));
        }
        Estimates estimates = new Estimates(sample(new Draw.Bands(new long[] {100}, new int[100]), counts, seen));
        Interval some = estimates.recall(pair -> pair.first() >= 9);
        assertEquals(new Interval(0.9, 0.9, 0.9), some);
        assertEquals(
                "Within 1 bit are 66.7 % of the near pairs seen, as many as within 2 bits, and no job looks farther: [minhash] finds more of"
                        + " them, 90 % from an estimate of 0.69 on; and 100 % of what is found is near without a look at the texts.",
                why(estimates, new Suggestion.Sketched(0.69, some)));
        String fewer = why(estimates, new Suggestion.Sketched(0.69, estimates.recall(pair -> pair.first() < 45)));
        assertTrue(fewer.contains(": [minhash] finds no more of them, 50 % from an estimate of 0.69 on;"), fewer);
    }

    private static String why(Estimates estimates, Suggestion.Sketched sketched) {
        return Suggestion.of(estimates, 0.8, new Steps(false, 2), null, sketched)
                .why();
    }

    /** Ten near pairs of ten prove nothing about thousands. */
    @Test
    void testAFewPairsDoNotSpareTheLookAtTheTexts() {
        int[][] counts = new int[10][2];
        List<Sample.Pair> seen = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            counts[i][0] = 1;
            seen.add(new Sample.Pair(i, -1, 0, 0, 100, 100, 1, true));
        }
        Estimates estimates = new Estimates(sample(new Draw.Bands(new long[] {1_000}, new int[10]), counts, seen));
        Suggestion suggestion = Suggestion.of(estimates, 0.8, new Steps(false, 16), null, null);
        assertTrue(suggestion.verify());
        assertEquals(
                "Within 1 bit are 100 % of the near pairs seen, within 0 bits are 100 %; and 100 % of what is found is near without a look"
                        + " at the texts, but too few were compared to be sure of that. Too few near pairs were seen to take less than the"
                        + " default: look at more documents.",
                suggestion.why());
    }

    /** Near pairs that do not become fewer up to the last distance where one was seen go on where few of many pairs were compared. */
    @Test
    void testNearPairsMayHideAmongManyOthers() {
        assertEquals(0, withFarPairs(10, 10).hidden());
        // 5 near pairs at each of three distances, and perhaps at a fourth one.
        assertEquals(0.25, withFarPairs(10_000, 10).hidden(), 1e-9);
        assertEquals(0, new Estimates(whole()).hidden());
    }

    /** Ten near pairs from one end at each of three distances, then others of which few are compared. */
    private static Estimates withFarPairs(int far, int compared) {
        int[][] counts = new int[10][4];
        List<Sample.Pair> seen = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            for (int distance = 0; distance < 3; distance++) {
                counts[i][distance] = 1;
                seen.add(new Sample.Pair(i, -1, 0, distance, 1, 1, 1, true));
            }
            counts[i][3] = far / 10;
        }
        for (int i = 0; i < compared; i++) {
            seen.add(new Sample.Pair(i % 10, -1, 0, 3, 1, (double) far / compared, 0, false));
        }
        return new Estimates(sample(new Draw.Bands(new long[] {10}, new int[10]), counts, seen));
    }

    @Test
    void testWhereNothingIsWithinReachTheSentenceSaysSo() {
        int[][] counts = {{0, 0, 1}, {0, 0, 1}};
        List<Sample.Pair> seen = List.of(new Sample.Pair(0, 1, 0, 2, 2, 2, 0.9, true));
        Estimates estimates = new Estimates(sample(new Draw.Bands(new long[] {2}, new int[2]), counts, seen));
        assertEquals(
                "Within 1 bit are 0 % of the near pairs seen, and no job looks farther: [minhash] finds what differs more; no pair is that near.",
                Suggestion.of(estimates, 0.8, new Steps(false, 1), null, null).why());
    }
}
