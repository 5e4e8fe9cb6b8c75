/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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
