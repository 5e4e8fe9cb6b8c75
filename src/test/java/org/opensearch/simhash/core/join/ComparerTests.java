/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;

class ComparerTests {

    private static final int DISTANCE = 3;
    private static final int MANY = 1_000;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());
    private final List<String> found = new ArrayList<>();
    private final AtomicLong compared = new AtomicLong();
    private final Comparer comparer =
            new Comparer(DISTANCE, (i, j, differing) -> found.add(i + " " + j + " " + differing), compared::addAndGet);

    @Test
    void testWithinOneRange() {
        long[] values = JoinCases.chained(MANY, random);
        for (int from : new int[] {0, 1, 7}) {
            for (int to : new int[] {from, from + 1, from + 2, from + 5, from + 8, MANY}) {
                List<String> expected = new ArrayList<>();
                for (int i = from; i < to; i++) {
                    expect(values, i, values, i + 1, to, expected);
                }
                check(expected, (long) (to - from) * (to - from - 1) / 2, () -> comparer.within(values, from, to));
            }
        }
    }

    @Test
    void testBetweenTwoRanges() {
        long[] values = JoinCases.chained(MANY, random);
        long[] others = values.clone();
        for (int i = 0; i < others.length; i++) {
            others[i] = JoinCases.flip(others[i], random.nextInt(DISTANCE + 2), random);
        }
        for (int to : new int[] {0, 1, 2, 3, 4, 5, 9, MANY}) {
            for (int othersTo : new int[] {0, 1, 5, 300, MANY}) {
                for (int from : new int[] {0, Math.min(2, to)}) {
                    int othersFrom = Math.min(3, othersTo);
                    List<String> expected = new ArrayList<>();
                    for (int i = from; i < to; i++) {
                        expect(values, i, others, othersFrom, othersTo, expected);
                    }
                    check(
                            expected,
                            (long) (to - from) * (othersTo - othersFrom),
                            () -> comparer.between(values, from, to, others, othersFrom, othersTo));
                }
            }
        }
    }

    @Test
    void testEndsWhenTheProgressSaysSo() {
        long[] values = random.longs(10 * MANY).toArray();
        Comparer ended = new Comparer(DISTANCE, (i, j, differing) -> {}, pairs -> {
            throw new IllegalStateException("cancelled");
        });
        assertThrows(IllegalStateException.class, () -> ended.within(values, 0, values.length));
    }

    private static void expect(long[] values, int i, long[] others, int from, int to, List<String> expected) {
        for (int j = from; j < to; j++) {
            long differing = values[i] ^ others[j];
            if (Long.bitCount(differing) <= DISTANCE) {
                expected.add(i + " " + j + " " + differing);
            }
        }
    }

    private void check(List<String> expected, long pairs, Runnable comparing) {
        found.clear();
        compared.set(0);
        comparing.run();
        comparer.reportCompared();
        assertEquals(
                expected.stream().sorted().toList(), found.stream().sorted().toList());
        assertEquals(pairs, compared.get());
    }
}
