/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;

/** Texts too large to compare. */
public class LargeTextsClusterTests extends NearDuplicateClusterTestCase {

    private static final long ROOM = 3 << 20;

    private static Map<String, Object> large(long bits, String end) {
        Map<String, Object> document = new HashMap<>(print(bits));
        document.put("content", "one word after another ".repeat(20_000) + end);
        return document;
    }

    public void testTextsAreComparedOnTheBreakersAccount() {
        index(DOCS, 1);
        for (boolean ignored : List.of(false, true)) {
            pipeline("'verify': {'field': 'content'}, 'ignore_failure': " + ignored);
            assertIndexed(send(DOCS, "0", print(0xff00ff))); // the window has its memory
            String[] ids = {ignored ? "3" : "1", ignored ? "4" : "2"};
            long bits = ignored ? ~0L : 0;
            CircuitBreaker breaker = internalCluster()
                    .getInstance(CircuitBreakerService.class, internalCluster().getNodeNames()[0])
                    .getBreaker("simhash");
            long rest = breaker.getLimit() - breaker.getUsed() - ROOM;
            breaker.addWithoutBreaking(rest);
            BulkResponse response;
            try {
                response = send(DOCS, ordered(ids[0], large(bits, "here"), ids[1], large(bits, "there")));
            } finally {
                breaker.addWithoutBreaking(-rest);
            }
            assertIndexed(response.getItems()[0]);
            assertEquals(ignored, response.getItems()[1].isFailed() == false);
            if (ignored == false) {
                assertEquals(RestStatus.TOO_MANY_REQUESTS, response.getItems()[1].status());
                String message = response.getItems()[1].getFailureMessage();
                assertTrue(message, message.contains("near-duplicates of [2] could not be looked up"));
            }
        }
        assertEquals(expected("0", null, "1", null, "3", null, "4", null), tags(DOCS));
        assertIndexed(send(DOCS, "5", large(0, "here")));
        assertEquals("1:0", tags(DOCS).get("5"));
    }
}
