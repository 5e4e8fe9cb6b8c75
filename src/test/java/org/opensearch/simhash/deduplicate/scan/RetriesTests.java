/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.tasks.TaskCancelledException;
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
