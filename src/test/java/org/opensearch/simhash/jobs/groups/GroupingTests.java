/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;

public class GroupingTests extends DeletingTestCase {

    private static final int DOCUMENTS = 300;
    private static final long LINKS = DOCUMENTS * (DOCUMENTS - 1) / 2;

    /** Groups may take hours to write. */
    public void testLinksAreNotPaidForWhileGroupsAreWritten() throws IOException {
        createIndex(INDEX);
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < DOCUMENTS; i++) {
            Map<String, Object> print = Map.of("bits", (1L << (i % 20)) | (1L << (20 + i / 20)), "scheme", "v1-a");
            bulk.add(client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", print, "text", "some words")));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
        AtomicLong reading = new AtomicLong();
        AtomicLong writing = new AtomicLong();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest) {
                reading.accumulateAndGet(breaker.getUsed(), Math::max);
            } else if (request instanceof BulkRequest) {
                writing.accumulateAndGet(breaker.getUsed(), Math::max);
            }
            return null;
        });
        for (String verify : List.of("", "\"verify\":{\"field\":\"text\"},")) {
            writing.set(0);
            run("{\"max_distance\":4," + verify + "\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
            assertTrue("while documents are read they are: " + reading, reading.get() > 8 * LINKS);
            assertTrue("groups, and what is known and shown of documents: " + writing, writing.get() < 5 * LINKS);
            assertTrue("something is written", writing.get() > 0);
        }
        assertEquals(0, breaker.getUsed());
    }
}
