/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdOrderTests {

    @Test
    void testIdsThatAreNumbersCompareAsNumbersAndComeFirst() {
        List<String> ids = new ArrayList<>(List.of("b", "10", "9", "-1", "a", "99999999999999999999", "007", "7"));
        ids.sort(IdOrder::compare);
        assertEquals(List.of("007", "7", "9", "10", "99999999999999999999", "-1", "a", "b"), ids);
    }
}
