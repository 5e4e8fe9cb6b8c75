/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.TestTime;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;
import org.opensearch.simhash.desk.inspect.HelperWork.InspectThreads;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

/** How long a helper works, and who ends it. */
public class HelperWorkTests extends OpenSearchTestCase {

    private static final TimeValue LONG = TimeValue.timeValueMinutes(1);

    private final AtomicLong taken = new AtomicLong();
    private CancellableTask task = task();

    private ThreadPool threads;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        Settings one =
                Settings.builder().put("thread_pool.simhash_inspect.size", 1).build();
        threads = new TestThreadPool("helpers", one, InspectThreads.builder(one));
    }

    @Override
    public void tearDown() throws Exception {
        terminate(threads);
        assertEquals(0, taken.get());
        super.tearDown();
    }

    /** Whichever way tokens come, and however few there are in each text. */
    public void testAFingerprintInTheMakingIsCancelled() {
        Fingerprinter words = new RecipeBuilder().standard();
        for (SourceTexts texts : List.of(
                SourceTexts.of("word ".repeat(20_000)),
                SourceTexts.of("大".repeat(20_000)),
                new SourceTexts(List.of(new FieldTexts(1, Collections.nCopies(20_000, "a"))), null))) {
            task = task();
            HelperWork work = work(LONG);
            work.begin();
            AtomicInteger asked = new AtomicInteger();
            Exception e = expectThrows(
                    TaskCancelledException.class,
                    () -> words.fingerprint(texts, bytes -> {
                        if (bytes == 0 && asked.incrementAndGet() == 2) {
                            task.cancel("by the test");
                        }
                        work.accept(bytes);
                    }));
            assertTrue(e.getMessage(), e.getMessage().startsWith("fingerprint of a text was cancelled: "));
            assertEquals("ended at once", 2, asked.get());
        }
    }

    public void testTheTimeOfAStepIsBounded() {
        HelperWork work = work(TimeValue.timeValueMillis(10));
        work.begin();
        TestTime.pass(10);
        var e = expectThrows(
                OpenSearchStatusException.class,
                () -> new RecipeBuilder().standard().fingerprint(SourceTexts.of("word ".repeat(20_000)), work));
        assertEquals(
                "fingerprint of a text must take at most 10ms, as [plugins.simhash.helpers.max_time] says;"
                        + " give it a shorter text, or a faster analyzer",
                e.getMessage());
        assertEquals(RestStatus.TOO_MANY_REQUESTS, e.status());
        assertNextStepHasItsOwn(work);
    }

    private static void assertNextStepHasItsOwn(HelperWork work) {
        for (boolean isInTime = false; isInTime == false; ) {
            work.begin();
            try {
                work.check();
                isInTime = true;
            } catch (OpenSearchStatusException e) {
                // A busy machine may stop the thread between both.
                assertEquals(RestStatus.TOO_MANY_REQUESTS, e.status());
            }
        }
    }

    /** What is given back is, whoever asks for the end. */
    public void testACancelledTaskGivesBack() {
        HelperWork work = work(LONG);
        work.begin();
        work.accept(7);
        task.cancel("by the test");
        work.accept(-7);
        expectThrows(TaskCancelledException.class, () -> work.accept(1));
    }

    public void testWhoWaitsTooLongIsRefused() {
        CountDownLatch busy = new CountDownLatch(1);
        threads.executor(InspectThreads.INSPECT).execute(() -> await(busy));
        PlainActionFuture<Object> answer = PlainActionFuture.newFuture();
        HelperWork work = work(TimeValue.timeValueMillis(10));
        ActionListener<Object> holding = work.holding(100, answer);
        assertEquals("the body and what is parsed of it", 200, taken.get());
        work.start(holding, () -> holding.onResponse("late"));
        TestTime.pass(10);
        busy.countDown();
        var e = expectThrows(OpenSearchStatusException.class, answer::actionGet);
        assertEquals(
                "fingerprint of a text waited more than 10ms for one of the threads of [simhash_inspect],"
                        + " which others have; ask again later",
                e.getMessage());
        assertEquals(RestStatus.TOO_MANY_REQUESTS, e.status());
    }

    /** A request of many steps lets those pass that came meanwhile; its own next step is never refused. */
    public void testStepsTakeTurns() throws Exception {
        HelperWork first = work(LONG);
        PlainActionFuture<Object> other = PlainActionFuture.newFuture();
        assertEquals("first", first.await(() -> {
            work(LONG).start(other, () -> other.onResponse("served"));
            return "first";
        }));
        assertEquals(true, first.await(other::isDone));
        Exception failure = expectThrows(
                IllegalStateException.class,
                () -> first.await(() -> {
                    throw new IllegalStateException("of a step");
                }));
        assertEquals("of a step", failure.getMessage());
    }

    private static CancellableTask task() {
        return new CancellableTask(1, "transport", "action", "fingerprint of a text", TaskId.EMPTY_TASK_ID, Map.of()) {
            @Override
            public boolean shouldCancelChildrenOnCancellation() {
                return true;
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HelperWork work(TimeValue most) {
        return new HelperWork(threads, task, taken::addAndGet, most);
    }
}
