/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.BeforeClass;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.telemetry.TelemetrySettings;

/** A throttled job knows how long it takes. */
public class ThrottledTimesTests extends DeletingTestCase {

    private static final int DUPLICATES = 40;
    private static final int EACH = 10;
    private static final int MOST_ATTEMPTS = 3;

    /** Of the clock, and of a busy machine. */
    private static final double NOISE_MILLIS = 400;

    private record Seen(long nanos, JobStatus status) {}

    /** The framework wants each span to end, and a job has many requests under way while its task is asked for. */
    @Override
    protected Settings nodeSettings() {
        return Settings.builder()
                .put(super.nodeSettings())
                .put(TelemetrySettings.TRACER_ENABLED_SETTING.getKey(), false)
                .build();
    }

    @BeforeClass
    public static void ofTheNight() {
        assumeTrue("of the night: estimates of seconds are compared with seconds", Rounds.NIGHT);
    }

    private void fillEqual() {
        createIndex(INDEX);
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int id = 0; id <= DUPLICATES; id++) {
            bulk.add(client().prepareIndex(INDEX).setId("" + id).setSource(Map.of("simhash", given(7))));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    private List<JobStatus> statuses() {
        return client().admin().cluster().prepareListTasks().setDetailed(true).get().getTasks().stream()
                .map(TaskInfo::getStatus)
                .filter(JobStatus.class::isInstance)
                .map(JobStatus.class::cast)
                .toList();
    }

    /** A busy machine may stop a job for longer than its estimates may be wrong, but not each time. */
    private void assertEstimates(String json, float perSecond, int written) throws IOException {
        for (int attempt = 1; ; attempt++) {
            fillEqual();
            try {
                assertEstimatesOnce(json, perSecond, written);
                return;
            } catch (AssertionError e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
                client().admin().indices().prepareDelete(INDEX, REMOVED + "*").get();
            }
        }
    }

    /** Each request takes a second; old estimates were wrong by one of four. */
    private void assertEstimatesOnce(String json, float perSecond, int written) throws IOException {
        ActionFuture<JobResponse> job = start(json, perSecond, EACH);
        List<Seen> seen = new ArrayList<>();
        while (job.isDone() == false) {
            statuses().stream()
                    .filter(status -> status.phase().equals("write"))
                    .forEach(status -> seen.add(new Seen(System.nanoTime(), status)));
            // Twenty looks at each wait: more would take the processor from the job.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        job.actionGet();
        long end = System.nanoTime();
        long start = seen.getFirst().nanos;
        long throttled = 0;
        for (Seen each : seen) {
            JobStatus status = each.status;
            assertEquals(written, status.total());
            assertTrue("it only grows", status.throttled() >= throttled);
            throttled = status.throttled();
            double left = (end - each.nanos) / 1e6;
            // While it waits: between two waits a bulk takes as long as the machine likes.
            if (status.throttledUntil() > 0 && each.nanos - start > (end - start) / 4) {
                assertEquals(
                        Strings.toString(MediaTypeRegistry.JSON, status),
                        left,
                        (double) status.remaining(),
                        0.2 * left + NOISE_MILLIS);
            }
        }
        assertTrue("mostly it waits", throttled > (end - start) / 2e6);
        assertTrue(seen.stream().anyMatch(each -> each.status.throttledUntil() > 0));
        String last = Strings.toString(MediaTypeRegistry.JSON, seen.getLast().status);
        assertTrue(last, last.contains("\"total\":" + written + ",\"percent\":"));
    }

    public void testTagsAreEstimated() throws IOException {
        assertEstimates("{\"action\":\"tag\"}", 10, 1 + DUPLICATES); // the survivor has its group's id, too
    }

    public void testDeletesAreEstimated() throws IOException {
        assertEstimates("{\"action\":\"delete\",\"verify\":false,\"archive\":false}", 10, DUPLICATES);
    }

    public void testDeletesWithAnArchiveAreEstimated() throws IOException {
        assertEstimates("{\"action\":\"delete\",\"verify\":false,\"archive\":" + ARCHIVE + "}", 20, DUPLICATES);
    }
}
