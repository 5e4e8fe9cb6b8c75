/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.RandomSeed;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.sketch.Sketch;

/** Pairs of similar sketches, against all pairs compared. */
class SketchJoinTests {

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    private static Set<String> pairs(Cliques cliques) {
        Set<String> pairs = new TreeSet<>();
        for (int clique = 0; clique < cliques.size(); clique++) {
            long[] members = cliques.members(clique);
            for (int i = 0; i < members.length; i++) {
                for (int j = i + 1; j < members.length; j++) {
                    pairs.add(pair(members[i], members[j]));
                }
            }
        }
        cliques.links().forEach((a, b, distance) -> {
            for (long left : cliques.members(a)) {
                for (long right : cliques.members(b)) {
                    assertTrue(pairs.add(pair(left, right)), "each link once");
                }
            }
        });
        return pairs;
    }

    private static String pair(long a, long b) {
        return Math.min(a, b) + "-" + Math.max(a, b);
    }

    @Test
    void testFindsEveryPairOfTheSimilarity() {
        Random random = new Random(seed.value());
        for (double minimum : new double[] {0.95, 0.8, 0.7, 0.5}) {
            List<Sketch> sketches = new ArrayList<>();
            for (int cluster = 0; cluster < 60; cluster++) {
                long[] base = random.longs(150).toArray();
                for (int copy = 0; copy < 5; copy++) {
                    long[] features = base.clone();
                    int changed = copy == 1 ? 0 : random.nextInt(60);
                    for (int i = 0; i < changed; i++) {
                        features[random.nextInt(features.length)] = random.nextLong();
                    }
                    sketches.add(Sketch.of(features, features.length, 128));
                }
            }
            AtomicLong taken = new AtomicLong();
            AtomicLong reported = new AtomicLong();
            SketchJoin join = new SketchJoin(minimum, new Account(taken::addAndGet), reported::addAndGet);
            Set<String> expected = new TreeSet<>();
            for (int i = 0; i < sketches.size(); i++) {
                join.add(i, sketches.get(i), i % 3 == 0 ? 1 : 0);
                for (int j = 0; j < i; j++) {
                    boolean isNear = Sketch.similarity(sketches.get(i).agreeing(sketches.get(j)), 128) >= minimum;
                    if (isNear && (i % 3 == 0) == (j % 3 == 0)) {
                        expected.add(pair(i, j));
                    }
                }
            }
            assertTrue(taken.get() > 100L * sketches.size(), "sketches are on the account");
            NearJoin.Joined found = join.join();
            assertEquals(expected, pairs(found.cliques()), "from " + minimum);
            assertEquals(expected.size(), found.pairs());
            assertEquals(join.compared(), reported.get());
            assertTrue(join.compared() < 45_000 / 4, join.compared() + " compared");
        }
    }

    @Test
    void testTextsTooShortForASketchAreLinkedByEqualDigests() {
        SketchJoin join = new SketchJoin(0.8, new Account(bytes -> {}), pairs -> {});
        join.addText(1, List.of("d", 0));
        join.addText(2, List.of("e", 0));
        join.addText(3, List.of("d", 0));
        join.addText(4, List.of("d", 1));
        NearJoin.Joined found = join.join();
        assertEquals(Set.of("1-3"), pairs(found.cliques()));
        assertEquals(1, found.pairs());
    }

    @Test
    void testEndsWhenTheMemoryRefuses() {
        Account memory = new Account(bytes -> {
            if (bytes > 0) {
                throw new IllegalStateException("full");
            }
        });
        SketchJoin join = new SketchJoin(0.8, memory, pairs -> {});
        Sketch sketch = Sketch.of(new long[] {1, 2, 3, 4}, 4, 128);
        assertThrows(IllegalStateException.class, () -> join.add(1, sketch, 0));
    }

    @Test
    void testOfOneBandAllArePairs() {
        SketchJoin join = new SketchJoin(0.01, new Account(bytes -> {}), pairs -> {});
        long[] features = new Random(seed.value()).longs(20).toArray();
        join.add(7, Sketch.of(features, 20, 128), 0);
        join.add(8, Sketch.of(Arrays.copyOf(features, 10), 10, 128), 0);
        assertEquals(Set.of("7-8"), pairs(join.join().cliques()));
    }
}
