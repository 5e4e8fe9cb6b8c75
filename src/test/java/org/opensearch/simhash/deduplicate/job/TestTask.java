/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.Map;
import org.opensearch.core.tasks.TaskId;

/** A job that no node knows. */
public final class TestTask {

    private TestTask() {}

    public static DeduplicateTask create() {
        return new DeduplicateTask(1, "", "", "", TaskId.EMPTY_TASK_ID, Map.of());
    }
}
