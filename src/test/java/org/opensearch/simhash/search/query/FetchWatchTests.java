/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.search.SearchShardTask;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.SearchService;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.TestTime;
import org.opensearch.test.OpenSearchTestCase;

/** Until when evidence is wanted. */
public class FetchWatchTests extends OpenSearchTestCase {

    private final FetchWatch watch = new FetchWatch();
    private final QueryShardContext shard = mock(QueryShardContext.class);
    private final SearchShardTask task = new SearchShardTask(1, "", "", "", TaskId.EMPTY_TASK_ID, Map.of());
    private final List<Releasable> releasables = new ArrayList<>();

    private SearchContext search(boolean evidence, TimeValue timeout) {
        SearchContext search = mock(SearchContext.class);
        when(search.getQueryShardContext()).thenReturn(shard);
        when(search.timeout()).thenReturn(timeout);
        when(search.getTask()).thenReturn(task);
        when(search.isCancelled()).thenAnswer(asked -> task.isCancelled());
        when(search.getSearchExt(SimHashExt.NAME)).thenReturn(new SimHashExt(Map.of("evidence", evidence)));
        doAnswer(added -> releasables.add(added.getArgument(0))).when(search).addReleasable(any());
        return search;
    }

    public void testACancelledSearch() {
        watch.onPreFetchPhase(search(true, randomFrom(SearchService.NO_TIMEOUT, TimeValue.timeValueHours(1), null)));
        Runnable check = watch.of(shard);
        check.run();
        task.cancel("by the test");
        Exception e = expectThrows(TaskCancelledException.class, check::run);
        assertEquals("cancelled task with reason: by the test", e.getMessage());
    }

    public void testASearchWithoutTimeLeft() {
        watch.onPreFetchPhase(search(true, TimeValue.timeValueMillis(1)));
        TestTime.pass(1);
        Runnable check = watch.of(shard);
        Exception e = expectThrows(FetchWatch.TimeIsUpException.class, check::run);
        assertEquals("the search timed out", e.getMessage());
    }

    /** A thread may lose its turn once, but hardly a thousand times. */
    public void testATimeoutOfLessThanAMillisecondIsATime() {
        boolean isInTime = false;
        for (int i = 0; i < 1_000 && isInTime == false; i++) {
            watch.onPreFetchPhase(search(true, new TimeValue(999, TimeUnit.MICROSECONDS)));
            try {
                watch.of(shard).run();
                isInTime = true;
            } catch (FetchWatch.TimeIsUpException e) {
                releasables.forEach(Releasable::close);
            }
        }
        assertTrue(isInTime);
    }

    public void testNothingIsKeptOfOthersNorAfterwards() {
        watch.onPreFetchPhase(search(false, null));
        assertTrue("not for who does not ask", releasables.isEmpty());
        task.cancel("by the test");
        watch.of(shard).run();
        watch.onPreFetchPhase(search(true, null));
        Runnable check = watch.of(shard);
        assertThrows(TaskCancelledException.class, check::run);
        releasables.forEach(Releasable::close);
        watch.of(shard).run();
    }
}
