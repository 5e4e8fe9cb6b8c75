/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.simhash.jobs.scan.Retries.Rejections;
import org.opensearch.test.OpenSearchTestCase;

/** What is rejected is tried again, a few times, and nothing else. */
public class RetriesTests extends OpenSearchTestCase {

    private final AtomicInteger tries = new AtomicInteger();

    private static Retries retries(Runnable ensureNotCancelled, TimeValue delay) {
        return new Retries(ensureNotCancelled, BackoffPolicy.constantBackoff(delay, 3));
    }

    private String rejectedFor(int times) {
        if (tries.getAndIncrement() < times) {
            throw new OpenSearchRejectedExecutionException("no room");
        }
        return "done";
    }

    public void testTriesAgain() {
        assertEquals("done", retries(() -> {}, TimeValue.timeValueMillis(1)).call(() -> rejectedFor(3)));
        assertEquals(4, tries.get());
    }

    public void testGivesUpInTheEnd() {
        Retries retries = retries(() -> {}, TimeValue.timeValueMillis(1));
        expectThrows(OpenSearchRejectedExecutionException.class, () -> retries.call(() -> rejectedFor(9)));
        assertEquals(4, tries.get());
    }

    /** OpenSearch cancels what is left of a search of which a part found no memory; the status is that of the cancelled shards. */
    public void testASearchThatFoundNoMemoryIsRejected() {
        Exception memory = new CircuitBreakingException("[request] Data too large", Durability.TRANSIENT);
        Exception fatal = new TaskCancelledException(
                "cancelled task with reason: Fatal failure during search: [request] Data too large");
        Exception untold = new TaskCancelledException("cancelled while creating aggregators");
        Exception byHand = new TaskCancelledException("cancelled task with reason: by user request");
        Exception broken = new IllegalStateException("broken");
        for (List<Exception> failures : List.of(List.of(memory, fatal), List.of(fatal), List.of(broken, untold))) {
            RuntimeException search = search(null, failures);
            assertEquals(RestStatus.INTERNAL_SERVER_ERROR, ExceptionsHelper.status(search));
            tries.set(0);
            Retries retries = retries(() -> {}, TimeValue.timeValueMillis(1));
            Exception last = expectThrows(
                    OpenSearchStatusException.class,
                    () -> retries.call(() -> {
                        tries.incrementAndGet();
                        throw search;
                    }));
            assertEquals(4, tries.get());
            assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(last));
            assertTrue(Rejections.isOne(last));
            assertEquals(
                    failures.contains(memory)
                            ? "no room for a search: [request] Data too large"
                            : "no room for a search: it was cancelled when a part of it found no memory",
                    last.getMessage());
        }
        assertTrue(Rejections.isOne(search(memory, List.of(broken))));
        assertFalse(Rejections.isOne(search(null, List.of(broken, byHand))));
        String parent = "The parent task was cancelled, shouldn't start any child tasks, ";
        assertFalse(Rejections.isOne(
                search(null, List.of(byHand, new TaskCancelledException(parent + "by user request")))));
        assertTrue(Rejections.isOne(
                search(null, List.of(new TaskCancelledException(parent + "Fatal failure during search: x")))));
        assertFalse(Rejections.isOne(search(broken, List.of())));
    }

    private static RuntimeException search(Exception cause, List<Exception> failures) {
        ShardSearchFailure[] shards =
                failures.stream().map(ShardSearchFailure::new).toArray(ShardSearchFailure[]::new);
        return new SearchPhaseExecutionException("query", "Partial shards failure", cause, shards);
    }

    public void testOtherFailuresAreFinal() {
        Retries retries = retries(() -> {}, TimeValue.timeValueMillis(1));
        expectThrows(
                IllegalStateException.class,
                () -> retries.call(() -> {
                    tries.incrementAndGet();
                    throw new IllegalStateException("broken");
                }));
        assertEquals(1, tries.get());
    }

    public void testACancelledTaskWaitsNoLonger() {
        Retries retries = retries(
                () -> {
                    if (tries.get() > 0) {
                        throw new TaskCancelledException("enough");
                    }
                },
                TimeValue.timeValueHours(1));
        expectThrows(TaskCancelledException.class, () -> retries.call(() -> rejectedFor(9)));
        assertEquals(1, tries.get());
    }
}
