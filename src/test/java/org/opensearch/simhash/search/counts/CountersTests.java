/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.counts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.test.OpenSearchTestCase;

public class CountersTests extends OpenSearchTestCase {

    private enum Fruit {
        RED_APPLE,
        PEAR
    }

    public void testThreadsAddUp() throws InterruptedException {
        Counters<Fruit> counters = new Counters<>(Fruit.class);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int j = 0; j < 1_000; j++) {
                    counters.increment(Fruit.RED_APPLE);
                    counters.add(Fruit.PEAR, 2);
                    counters.add(Fruit.PEAR, 0);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(4_000, counters.get(Fruit.RED_APPLE));
        assertEquals(Map.of("red_apple", 4_000L, "pear", 8_000L), counters.toMap());
        assertEquals(List.of("red_apple", "pear"), List.copyOf(counters.toMap().keySet()));
    }
}
