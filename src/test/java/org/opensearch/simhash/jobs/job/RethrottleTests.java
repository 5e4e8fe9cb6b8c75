/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.tasks.Task;

/** Only a job has a pace: {@code _tasks} lists its passes below it, and these are tasks of the same class. */
class RethrottleTests {

    @Test
    void testAPassHasNoPace() {
        RethrottleAction.Request request = new RethrottleAction.Request(5);
        assertTrue(request.match(task(TaskId.EMPTY_TASK_ID)));
        assertFalse(request.match(task(new TaskId("node", 7))));
        assertFalse(request.match(new Task(3, "transport", "another", "", TaskId.EMPTY_TASK_ID, Map.of())));
    }

    private static JobTask task(TaskId parent) {
        return new JobTask(3, "transport", "job", "", parent, Map.of(), WritePace.of(-1));
    }
}
