/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.RandomSeed;

@Order(1)
class ScheduleKillIT {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    @Test
    void testNoRunIsTwiceAtATimeOrMissedTwice() throws InterruptedException {
        assertEquals(List.of(), ScheduleKills.run(2, seed.value()));
    }
}
