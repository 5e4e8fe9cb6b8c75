/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.simhash.deduplicate.DeduplicateResponse;
import org.opensearch.simhash.deduplicate.DeletingTestCase;

/** What it takes to compare the texts of near documents is on the breaker's account. */
public class VerifiedTextsTests extends DeletingTestCase {

    private static final String VERIFY =
            "{\"verify\":{\"field\":\"text\",\"measure\":\"containment\",\"min_similarity\":0.5}}";

    public void testComparingIsPaidFor() throws IOException {
        createIndex(INDEX);
        client().admin()
                .indices()
                .preparePutMapping(INDEX)
                .setSource(Map.of("properties", Map.of("text", Map.of("type", "text", "index", false))))
                .get();
        for (int i = 1; i <= 2; i++) {
            client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of(
                            "simhash", Map.of("bits", 7, "scheme", "v1-a"), "text", "some words ".repeat(50_000) + i))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        CircuitBreaker breaker =
                getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
        assertEquals(1, run(VERIFY, Float.POSITIVE_INFINITY, 100).count("groups"));
        assertEquals(0, breaker.getUsed());
        limitRequests("12mb"); // Both sources, four times each, take 4.4 MB.
        try {
            Exception e = expectThrows(CircuitBreakingException.class, () -> run(VERIFY, Float.POSITIVE_INFINITY, 100));
            assertTrue(e.getMessage(), e.getMessage().contains("simhash deduplicate"));
        } finally {
            limitRequests(null);
        }
        assertEquals(0, breaker.getUsed());
    }

    /** Which take no more than that: texts of white space are not kept. */
    public void testLongTextsBehindManyShortOnes() throws IOException {
        fillUnevenly("some words", " ".repeat(200_000));
        limitRequests("30mb");
        try {
            DeduplicateResponse response = run(VERIFY, Float.POSITIVE_INFINITY, 100);
            assertEquals(300, response.count("largest_group"));
            assertEquals(299, response.count("duplicates"));
        } finally {
            limitRequests(null);
        }
    }
}
