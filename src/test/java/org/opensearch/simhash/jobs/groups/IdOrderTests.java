/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.jobs.groups.DocumentTable.PackedIds.IdOrder;

class IdOrderTests {

    @Test
    void testIdsThatAreNumbersCompareAsNumbersAndComeFirst() {
        List<String> ids = new ArrayList<>(List.of("b", "10", "9", "-1", "a", "99999999999999999999", "007", "7"));
        ids.sort(IdOrder::compare);
        assertEquals(List.of("007", "7", "9", "10", "99999999999999999999", "-1", "a", "b"), ids);
    }

    @Test
    void testKeysAreInTheOrderOfTheIdsOrEqual() {
        SplittableRandom random = new SplittableRandom(7);
        List<String> ids = new ArrayList<>(
                List.of("", "0", "00", "-1", "~", "\u007F", "\u007Fa", "ü", "9".repeat(18), "9".repeat(19), "8"));
        List.of("7", "8", "9".repeat(18), "1" + "0".repeat(18)).forEach(number -> ids.add("0".repeat(21) + number));
        for (int i = 0; i < 2_000; i++) {
            String number = Long.toString(random.nextLong(1L << random.nextInt(1, 63)));
            ids.add(random.nextBoolean() ? number : number + (char) random.nextInt(1, 300) + random.nextInt(100));
        }
        ids.sort(IdOrder::compare);
        for (int i = 1; i < ids.size(); i++) {
            assertTrue(
                    IdOrder.key(ids.get(i - 1)) <= IdOrder.key(ids.get(i)), ids.get(i - 1) + " before " + ids.get(i));
        }
    }
}
