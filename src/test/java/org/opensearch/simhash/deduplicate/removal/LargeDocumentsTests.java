/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.simhash.deduplicate.DeduplicateResponse;
import org.opensearch.simhash.deduplicate.DeletingTestCase;
import org.opensearch.simhash.deduplicate.RequestHook;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.scan.Retries;

/** Documents are archived however large they are, in requests of bounded size, and on the breaker's account. */
public class LargeDocumentsTests extends DeletingTestCase {

    private static final int DOCUMENTS = 33;
    private static final int LENGTH = 300_000;

    public void testRequestsAreBounded() throws IOException {
        createIndex(INDEX);
        client().admin()
                .indices()
                .preparePutMapping(INDEX)
                .setSource(Map.of("properties", Map.of("text", Map.of("type", "object", "enabled", false))))
                .get();
        for (int i = 1; i <= DOCUMENTS; i++) {
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", Map.of("bits", 7, "scheme", "v1-a"), "text", "x".repeat(LENGTH)))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
        AtomicLong largest = new AtomicLong();
        AtomicLong accounted = new AtomicLong();
        AtomicInteger requests = new AtomicInteger();
        RequestHook.onBulks(request -> {
            if (request.requests().getFirst().index().equals(REMOVED)) {
                requests.incrementAndGet();
                largest.accumulateAndGet(request.estimatedSizeInBytes(), Math::max);
                accounted.accumulateAndGet(breaker.getUsed(), Math::max);
            }
        });
        DeduplicateResponse response = delete(Float.POSITIVE_INFINITY, 1_000, ARCHIVE);
        assertEquals(DOCUMENTS - 1, response.count("archived"));
        assertEquals(DOCUMENTS - 1, response.count("deleted"));
        assertEquals(Set.of("1"), ids(INDEX));
        assertTrue("" + largest, largest.get() <= 6 << 20);
        assertTrue("as large as they may be: " + requests, requests.get() <= 5);
        long slice = 9L * LENGTH;
        assertTrue("" + accounted, accounted.get() >= 4 * slice);
        assertEquals(0, breaker.getUsed());
    }

    /** The most that a slice takes grows no faster than what is known. */
    public void testSlices() {
        AtomicLong taken = new AtomicLong();
        ReadSlices slices = new ReadSlices(taken::addAndGet, new Retries(() -> {}));
        assertEquals(16, copy(slices, 1_000, 1_000, taken));
        assertEquals(32, copy(slices, 1_000, 1_000, taken));
        assertEquals("the end of a batch", 3, copy(slices, 3, 1_000, taken));
        assertEquals(64, copy(slices, 1_000, 500_000, taken));
        assertEquals(10, copy(slices, 1_000, 10_000_000, taken));
        assertEquals(1, copy(slices, 1_000, 0, taken));
        assertEquals(2, copy(slices, 1_000, 0, taken));
    }

    public void testASliceWaitsForRoom() {
        AtomicInteger asked = new AtomicInteger();
        LongConsumer memory = bytes -> {
            if (bytes > 0 && asked.getAndIncrement() == 0) {
                throw new CircuitBreakingException("no room", CircuitBreaker.Durability.TRANSIENT);
            }
        };
        Retries retries = new Retries(() -> {}, BackoffPolicy.constantBackoff(TimeValue.timeValueMillis(1), 1));
        try (ReadSlices.Slice slice = new ReadSlices(memory, retries).next(1)) {
            slice.accept(7);
        }
        assertEquals(2, asked.get());
    }

    private static int copy(ReadSlices slices, int most, int length, AtomicLong taken) {
        try (ReadSlices.Slice slice = slices.next(most)) {
            for (int i = 0; i < slice.size(); i++) {
                slice.accept(length);
            }
            assertEquals(4L * length * slice.size(), taken.get());
            return slice.size();
        } finally {
            assertEquals(0, taken.get());
        }
    }
}
