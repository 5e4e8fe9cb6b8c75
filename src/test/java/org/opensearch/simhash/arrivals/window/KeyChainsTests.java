/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A walk passes an entry that is gone once. */
class KeyChainsTests {

    private static final int KEY = 7;
    private static final int ENTRIES = 1 << 12;

    private final Set<Long> gone = new HashSet<>();
    private int asked;
    private final KeyChains chains = new KeyChains(KeyChains.KEYS, ENTRIES, this::isGone);

    private boolean isGone(long number) {
        asked++;
        return gone.contains(number);
    }

    private List<Long> chain() {
        asked = 0;
        List<Long> chain = new ArrayList<>();
        for (long number = chains.newest(KEY); number >= 0; number = chains.older(number)) {
            chain.add(number);
        }
        return chain;
    }

    @Test
    void testWhatIsGoneIsPassedOnce() {
        for (long number = 0; number < ENTRIES; number++) {
            chains.add(number, KEY);
        }
        LongStream.range(0, ENTRIES).filter(number -> number % 1_000 != 5).forEach(number -> {
            gone.add(number);
            chains.forget(KEY);
        });
        List<Long> left = List.of(4_005L, 3_005L, 2_005L, 1_005L, 5L);
        assertEquals(left, chain());
        assertEquals(left, chain());
        assertTrue(asked <= 2 * left.size(), () -> "asked for " + asked);
        assertEquals(left.size(), chains.count(KEY));
    }

    @Test
    void testAnEntryThatTakesThePlaceOfAllBeforeIsFoundAtOnce() {
        for (long number = 0; number < ENTRIES; number++) {
            chains.add(number, KEY);
            assertEquals(number, chain().getFirst());
            assertTrue(asked <= 4, () -> "asked for " + asked);
            gone.add(number);
        }
        assertEquals(List.of(), chain());
    }

    /** A far older entry may have left the ring, and another one has its slot. */
    @Test
    void testAChainEndsWithTheRing() {
        chains.add(0, KEY);
        chains.add(1, KEY);
        chains.add(2, KEY);
        gone.add(1L);
        assertEquals(List.of(2L, 0L), chain());
        chains.add(ENTRIES + 2L, KEY);
        assertEquals(ENTRIES + 2L, chains.newest(KEY));
        assertTrue(chains.older(ENTRIES + 2L) < 3, "an entry of this ring");
    }
}
