/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.options;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.search.sort.SortOrder;

class SurvivorFieldTests {

    /** Or there were orders with circles: 0.0 after -0.0, and a whole 0 equal to both. */
    @Test
    void testZeroIsZeroWhateverItsSignAndType() {
        SurvivorField field = new SurvivorField("rank", SortOrder.ASC);
        List<Object> zeros = List.of(-0.0, 0.0, -0.0f, 0.0f, 0L, 0);
        for (Object one : zeros) {
            for (Object other : zeros) {
                assertEquals(0, field.compare(one, other), one.getClass() + " " + one + " " + other);
            }
        }
    }
}
