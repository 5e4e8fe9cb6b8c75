/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.search.query.SimHashClusterTestCase;
import org.opensearch.tasks.TaskInfo;

/** Tests that see requests before they are carried out. */
public abstract class HookedClusterTestCase extends SimHashClusterTestCase {

    @After
    public void clearHook() {
        RequestHook.clear();
    }

    protected final JobResponse run(String json, int most, String... indices) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            WritePace pace = new WritePace(Float.POSITIVE_INFINITY, most);
            return client().execute(
                            DeduplicateAction.INSTANCE, DeduplicateAction.Request.fromXContent(indices, parser, pace))
                    .actionGet();
        }
    }

    /** Waits until the only job has written something. */
    protected final TaskInfo writingJob() throws Exception {
        List<TaskInfo> tasks = new ArrayList<>();
        assertBusy(() -> {
            tasks.clear();
            tasks.addAll(client().admin()
                    .cluster()
                    .prepareListTasks()
                    .setActions(DeduplicateAction.NAME)
                    .setDetailed(true)
                    .get()
                    .getTasks());
            assertEquals(1, tasks.size());
            assertTrue(((JobStatus) tasks.getFirst().getStatus()).written() > 0);
        });
        return tasks.getFirst();
    }
}
