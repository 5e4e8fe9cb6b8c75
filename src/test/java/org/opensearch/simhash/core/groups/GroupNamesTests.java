/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.join.Linkage.Group;

class GroupNamesTests {

    private final AtomicLong memory = new AtomicLong();
    private final GroupNames names = new GroupNames(20, memory::addAndGet);

    private static Group group(int survivor, int... members) {
        double[] similarities = new double[members.length];
        Arrays.fill(similarities, Double.NaN);
        return new Group(survivor, members, new byte[members.length], similarities);
    }

    private void carry(String name, int... ranks) {
        for (int rank : ranks) {
            names.carry(rank, name);
        }
    }

    /** The sequence number of a document is its rank, but that of 19 is 0. */
    private void assign(Group... groups) {
        AtomicInteger fresh = new AtomicInteger();
        names.assign(List.of(groups), rank -> rank == 19 ? 0 : rank, () -> "new-" + fresh.incrementAndGet());
    }

    @Test
    void testTheLargestPartOfAGroupKeepsItsId() {
        carry("a", 0, 1, 2, 3, 4);
        Group small = group(0, 1);
        Group large = group(2, 3, 4);
        assign(small, large);
        assertEquals("a", names.of(2));
        assertEquals("new-1", names.of(0));
        assertEquals(List.of("a"), names.splitFrom(small));
        assertEquals(List.of(), names.splitFrom(large));
        assertEquals(List.of(), names.mergedFrom(small));
        assertTrue(names.isKept(3, 2));
        assertFalse(names.isKept(1, 0));
        assertEquals(0, names.gone());
    }

    @Test
    void testOfTwoThatGrowTogetherTheLargerKeepsItsId() {
        carry("a", 0, 1);
        carry("b", 2, 3, 4);
        carry("c", 5);
        Group group = group(0, 1, 2, 3, 4, 5, 6);
        assign(group);
        assertEquals("b", names.of(0));
        assertEquals(List.of("a", "c"), names.mergedFrom(group));
        assertEquals(List.of(), names.splitFrom(group));
        assertEquals(2, names.gone());
    }

    @Test
    void testTiesGoToTheDocumentThatIsOldest() {
        carry("a", 1, 2);
        carry("b", 3, 19);
        assign(group(1, 2, 3, 19));
        assertEquals("b", names.of(1));
    }

    /** The first choice of group 4 is taken, and its second one is not. */
    @Test
    void testAGroupTakesWhatTheOthersLeave() {
        carry("a", 0, 1, 2, 4, 5);
        carry("b", 6);
        Group left = group(4, 5, 6);
        assign(group(0, 1, 2), left, group(7, 8));
        assertEquals("a", names.of(0));
        assertEquals("b", names.of(4));
        assertEquals("new-1", names.of(7));
        assertEquals(List.of("a"), names.mergedFrom(left));
    }

    @Test
    void testAnIdThatAGroupHasWhichIsNotLookedAtIsTaken() {
        carry("a", 0, 1);
        names.takenElsewhere(0);
        assign(group(0, 1));
        assertEquals("new-1", names.of(0));
        assertEquals(0, names.gone(), "the other group has it");
    }

    @Test
    void testOneOfTheDocumentsAloneKeepsTheIdIfNoGroupTakesIt() {
        assertEquals(-1, names.carryAlone(100, "a", 7));
        assertEquals(102, names.carryAlone(102, "a", 8), "younger");
        assertEquals(100, names.carryAlone(101, "a", 6), "older");
        assertEquals(-1, names.carryAlone(103, "b", 1));
        assertEquals(-1, names.carryAlone(104, "c", 1));
        carry("b", 0);
        assign(group(0, 1));
        assertEquals("b", names.of(0));
        assertEquals("[103]", Arrays.toString(names.displaced()));
        names.lose("d");
        assertEquals(0, names.gone(), "a and c stay, b moves");
    }

    @Test
    void testItsBytesAreAccounted() {
        long before = memory.get();
        assertTrue(before >= 20 * 2 * Integer.BYTES, "two ints for each document");
        for (int i = 0; i < 10_000; i++) {
            names.carryAlone(i, "an-id-of-20-letters-" + i, i);
        }
        long each = (memory.get() - before) / 10_000;
        assertTrue(each >= 24 + Integer.BYTES + 2 * Long.BYTES && each < 100, "bytes of an id: " + each);
    }
}
