/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;

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
                    .setSource(Map.of("simhash", given(7), "text", "x".repeat(LENGTH)))
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
        JobResponse response = delete(Float.POSITIVE_INFINITY, 1_000, ARCHIVE);
        assertEquals(DOCUMENTS - 1, response.count("archived"));
        assertEquals(DOCUMENTS - 1, response.count("deleted"));
        assertEquals(Set.of("1"), ids(INDEX));
        assertTrue("" + largest, largest.get() <= 6 << 20);
        assertTrue("as large as they may be: " + requests, requests.get() <= 5);
        long slice = 9L * LENGTH;
        assertTrue("" + accounted, accounted.get() >= 4 * slice);
        assertEquals(0, breaker.getUsed());
    }

    /** Nothing tells that larger ones follow: a page that is too large for the breaker is read again in parts. */
    public void testLargeDocumentsBehindManySmallOnes() throws IOException {
        fillUnevenly("x", "x".repeat(200_000));
        limitRequests("30mb");
        try {
            JobResponse response = delete(Float.POSITIVE_INFINITY, 1_000, ARCHIVE);
            assertEquals(response.toString(), 359, response.count("deleted"));
        } finally {
            limitRequests(null);
        }
    }
}
