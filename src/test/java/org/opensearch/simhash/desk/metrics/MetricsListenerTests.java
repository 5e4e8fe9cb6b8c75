/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.FailedNodeException;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.node.NodeClosedException;

class MetricsListenerTests {

    @Test
    void testANodeThatShutsDownSaysSo() {
        for (Exception cause : new Exception[] {
            new NodeClosedException((org.opensearch.cluster.node.DiscoveryNode) null),
            new OpenSearchRejectedExecutionException("executor is shut down", true)
        }) {
            assertWhyNot(RestStatus.SERVICE_UNAVAILABLE, "node [a1] gives no metrics: it is shutting down", cause);
        }
    }

    @Test
    void testAnotherCauseIsTold() {
        assertWhyNot(
                RestStatus.TOO_MANY_REQUESTS,
                "node [a1] gives no metrics: queue is full",
                new OpenSearchRejectedExecutionException("queue is full"));
        assertWhyNot(
                RestStatus.INTERNAL_SERVER_ERROR,
                "node [a1] gives no metrics: no reason",
                new IllegalStateException("no reason"));
    }

    private static void assertWhyNot(RestStatus status, String message, Exception cause) {
        OpenSearchStatusException error = MetricsAction.whyNot(new FailedNodeException("a1", "failed", cause));
        assertEquals(status, error.status());
        assertEquals(message, error.getMessage());
    }
}
