/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.Map;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.jobs.options.WritePace;

/** A job that no node knows. */
public final class TestTask {

    private TestTask() {}

    public static JobTask create() {
        return new JobTask(
                1, "", "", "", TaskId.EMPTY_TASK_ID, Map.of(), new WritePace(Float.POSITIVE_INFINITY, 1_000));
    }
}
