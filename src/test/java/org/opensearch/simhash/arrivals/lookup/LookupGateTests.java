/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.lookup;

import java.util.ArrayList;
import java.util.List;
import org.opensearch.simhash.arrivals.lookup.NodeLookups.LookupGate;
import org.opensearch.test.OpenSearchTestCase;

public class LookupGateTests extends OpenSearchTestCase {

    public void testSoManyAtATimeAndTheOthersInTheirOrder() {
        LookupGate gate = new LookupGate(2);
        List<Integer> entered = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int lookup = i;
            gate.enter(() -> entered.add(lookup));
        }
        assertEquals(List.of(0, 1), entered);
        assertEquals(3, gate.waiting());
        gate.leave();
        assertEquals(List.of(0, 1, 2), entered);
        gate.leave();
        gate.leave();
        gate.leave();
        gate.leave();
        assertEquals(List.of(0, 1, 2, 3, 4), entered);
        gate.enter(() -> entered.add(5));
        gate.enter(() -> entered.add(6));
        gate.enter(() -> entered.add(7));
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6), entered);
    }
}
