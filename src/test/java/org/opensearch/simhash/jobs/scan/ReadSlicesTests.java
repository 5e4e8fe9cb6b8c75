/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import org.opensearch.simhash.jobs.scan.ReadSlices.Page;

/** How much is read at a time. */
class ReadSlicesTests {

    /** Pages grow no faster than what is known, and not beyond what may be large. */
    @Test
    void testPages() {
        AtomicLong taken = new AtomicLong();
        ReadSlices slices = new ReadSlices(taken::addAndGet, new Retries(() -> {}));
        assertEquals(List.of(16, 32, 64, 128, 256, 400, 104), pages(slices, 1_000, 1_000, taken));
        assertEquals(List.of(400, 124), pages(slices, 1_000, 10_000, taken), "5 MB");
        assertEquals(List.of(100), pages(slices, 100, 40_000, taken));
        assertEquals(List.of(3), pages(slices, 3, 1_000, taken), "the end of a batch");
        assertEquals(List.of(131), pages(slices, 1_000, 500_000, taken), "500 kB each");
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
                assertEquals(Page.TAKEN, slice.take(pages.getLast(), (long) length * pages.getLast(), length));
            }
            assertEquals(4L * length * slice.size(), taken.get());
        }
        assertEquals(0, taken.get());
        return pages;
    }

    /** There is room for three documents at a time, and to prepare one of them. */
    @Test
    void testPagesWithoutRoomAreReadAgainWithFewerDocuments() {
        AtomicLong taken = new AtomicLong();
        Retries none = new Retries(() -> fail("it waits"), BackoffPolicy.noBackoff());
        ReadSlices slices = new ReadSlices(roomFor(20_000, taken), none);
        List<Integer> tries = new ArrayList<>();
        try (ReadSlices.Slice slice = slices.next()) {
            while (slice.isFull() == false) {
                tries.add(slice.page(1_000));
                slice.take(tries.getLast(), 1_000L * tries.getLast(), 1_000);
            }
            assertEquals(List.of(16, 4, 1, 2, 4), tries);
            assertEquals(3, slice.size());
            assertEquals(12_000, taken.get());
        }
        assertEquals(0, taken.get());
    }

    private static LongConsumer roomFor(long most, AtomicLong taken) {
        return bytes -> {
            if (taken.get() + bytes > most) {
                throw new CircuitBreakingException("no room", CircuitBreaker.Durability.TRANSIENT);
            }
            taken.addAndGet(bytes);
        };
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
            assertEquals(Page.TAKEN, slice.take(1, 7, 7));
        }
        assertEquals(3, asked.get());
    }

    /** All after it were never written, by no run; and a minute for each of hundreds was a night. */
    @Test
    void testWhatDoesNotFitAloneIsRefusedAndOnlyTheFirstOfThemWaits() {
        AtomicInteger waits = new AtomicInteger();
        AtomicLong taken = new AtomicLong();
        Retries retries =
                new Retries(waits::incrementAndGet, BackoffPolicy.constantBackoff(TimeValue.timeValueMillis(1), 1));
        ReadSlices slices = new ReadSlices(roomFor(40_000_000, taken), retries);
        assertEquals(List.of(Page.REFUSED, 1), next(slices, 12_000_000));
        int waited = waits.get();
        assertTrue(waited > 0);
        assertEquals(List.of(Page.REFUSED, 1), next(slices, 12_000_000));
        assertEquals(List.of(Page.REFUSED, 1), next(slices, 13_000_000));
        assertEquals(waited, waits.get());
        assertEquals(List.of(Page.TAKEN, 1), next(slices, 9_000_000));
        try (ReadSlices.Slice slice = slices.next()) {
            assertEquals(Page.TAKEN, slice.take(1, 1_000, 1_000));
            assertEquals(Page.READ_AGAIN, slice.take(1, 12_000_000, 12_000_000), "it comes alone next");
            assertTrue(slice.isFull());
            assertEquals(1, slice.size());
        }
        assertEquals(List.of(Page.REFUSED, 1), next(slices, 11_000_000), "less may find room later");
        assertTrue(waits.get() > waited);
        assertEquals(0, taken.get());
    }

    /** Others take all there is: the next one would find no room either, and thousands were failures. */
    @Test
    void testWhereThereIsNoRoomForASmallDocumentTheReadingEnds() {
        Retries retries = new Retries(() -> {}, BackoffPolicy.noBackoff());
        ReadSlices slices = new ReadSlices(roomFor(100, new AtomicLong()), retries);
        assertThrows(CircuitBreakingException.class, () -> next(slices, 1_000));
    }

    private static List<Object> next(ReadSlices slices, long length) {
        try (ReadSlices.Slice slice = slices.next()) {
            Page page = slice.take(1, length, length);
            return List.of(page, slice.size());
        }
    }
}
