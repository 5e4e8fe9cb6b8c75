/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/** How much is read at a time. */
class ReadSlicesTests {

    /** Pages grow no faster than what is known, and not beyond what may be large. */
    @Test
    void testPages() {
        AtomicLong taken = new AtomicLong();
        ReadSlices slices = new ReadSlices(taken::addAndGet, new Retries(() -> {}));
        assertEquals(List.of(16, 32, 64, 100, 100, 88), pages(slices, 400, 1_000, taken));
        assertEquals(List.of(3), pages(slices, 3, 1_000, taken), "the end of a batch");
        assertEquals(List.of(100), pages(slices, 1_000, 500_000, taken), "500 kB each");
        assertEquals(List.of(10), pages(slices, 1_000, 500_000, taken), "5 MB");
        assertEquals(List.of(10, 20, 22), pages(slices, 1_000, 100_000, taken), "what is left of a slice");
        assertEquals(List.of(44), pages(slices, 1_000, 10_000_000, taken));
        assertEquals(List.of(1), pages(slices, 1_000, 10_000_000, taken));
        assertEquals(List.of(1, 2, 4, 3), pages(slices, 10, 0, taken));
    }

    private static List<Integer> pages(ReadSlices slices, int most, int length, AtomicLong taken) {
        List<Integer> pages = new ArrayList<>();
        try (ReadSlices.Slice slice = slices.next()) {
            while (slice.size() < most && slice.isFull() == false) {
                pages.add(slice.page(most - slice.size()));
                assertTrue(slice.take(pages.getLast(), (long) length * pages.getLast()));
            }
            assertEquals(4L * length * slice.size(), taken.get());
        }
        assertEquals(0, taken.get());
        return pages;
    }

    /** There is room for three documents at a time. */
    @Test
    void testPagesWithoutRoomAreReadAgainWithFewerDocuments() {
        AtomicLong taken = new AtomicLong();
        LongConsumer memory = bytes -> {
            if (taken.get() + bytes > 12_000) {
                throw new CircuitBreakingException("no room", CircuitBreaker.Durability.TRANSIENT);
            }
            taken.addAndGet(bytes);
        };
        Retries none = new Retries(() -> fail("it waits"), BackoffPolicy.noBackoff());
        ReadSlices slices = new ReadSlices(memory, none);
        List<Integer> tries = new ArrayList<>();
        try (ReadSlices.Slice slice = slices.next()) {
            while (slice.isFull() == false) {
                tries.add(slice.page(1_000));
                slice.take(tries.getLast(), 1_000L * tries.getLast());
            }
            assertEquals(List.of(16, 4, 1, 2, 4), tries);
            assertEquals(3, slice.size());
            assertEquals(12_000, taken.get());
        }
        assertEquals(0, taken.get());
    }

    @Test
    void testOneDocumentWaitsForRoom() {
        AtomicInteger asked = new AtomicInteger();
        LongConsumer memory = bytes -> {
            if (bytes > 0 && asked.getAndIncrement() < 2) {
                throw new CircuitBreakingException("no room", CircuitBreaker.Durability.TRANSIENT);
            }
        };
        Retries retries = new Retries(() -> {}, BackoffPolicy.constantBackoff(TimeValue.timeValueMillis(1), 1));
        try (ReadSlices.Slice slice = new ReadSlices(memory, retries).next()) {
            assertTrue(slice.take(1, 7));
        }
        assertEquals(3, asked.get());
    }
}
