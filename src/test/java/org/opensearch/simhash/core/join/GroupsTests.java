/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.core.join.Linkage.Groups;

class GroupsTests {

    @Test
    void testGroupsComeBackAsTheyWereAdded() {
        SplittableRandom random = new SplittableRandom(3);
        for (boolean verified : new boolean[] {false, true}) {
            Groups groups = new Groups();
            List<Group> added = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Group group = group(i, random.nextInt(1, 9), verified && i > 50 && random.nextBoolean(), random);
                for (int j = 0; j < group.members().length; j++) {
                    groups.grow(group.members()[j], group.distances()[j], group.similarities()[j]);
                }
                assertEquals(group.members().length, groups.growing());
                groups.end(i);
                added.add(group);
            }
            assertEquals(added.size(), groups.size());
            for (int i = 0; i < added.size(); i++) {
                assertEquals(added.get(i).survivor(), groups.get(i).survivor());
                assertArrayEquals(added.get(i).members(), groups.get(i).members());
                assertArrayEquals(added.get(i).distances(), groups.get(i).distances());
                assertArrayEquals(added.get(i).similarities(), groups.get(i).similarities());
            }
            assertTrue(groups.bytes() > 0);
        }
    }

    @Test
    void testOnlyWhatIsTogetherStaysInAGroup() {
        Groups groups = new Groups();
        for (int survivor : new int[] {0, 10, 20}) {
            for (int member = survivor + 1; member < survivor + 4; member++) {
                groups.grow(member, (byte) member, member / 100.0);
            }
            groups.end(survivor);
        }
        // 1 and 2 are apart, and what 10 survives is apart from it.
        Map<Integer, int[]> apart =
                Map.of(1, new int[] {2}, 2, new int[] {1}, 11, new int[] {10}, 12, new int[] {10}, 13, new int[] {10});
        AtomicLong memory = new AtomicLong();
        List<Group> left = Linkage.together(groups, rank -> apart.getOrDefault(rank, new int[0]), memory::addAndGet);
        assertEquals(2, left.size());
        assertEquals(0, left.get(0).survivor());
        assertArrayEquals(new int[] {1, 3}, left.get(0).members());
        assertArrayEquals(new byte[] {1, 3}, left.get(0).distances());
        assertArrayEquals(new double[] {0.01, 0.03}, left.get(0).similarities());
        assertArrayEquals(new int[] {21, 22, 23}, left.get(1).members());
        assertTrue(memory.get() > 0);
    }

    private static Group group(int survivor, int members, boolean verified, SplittableRandom random) {
        int[] ranks = new int[members];
        byte[] distances = new byte[members];
        double[] similarities = new double[members];
        for (int i = 0; i < members; i++) {
            ranks[i] = random.nextInt(1_000);
            distances[i] = (byte) random.nextInt(-1, 17);
            similarities[i] = verified ? random.nextDouble() : Double.NaN;
        }
        return new Group(survivor, ranks, distances, similarities);
    }
}
