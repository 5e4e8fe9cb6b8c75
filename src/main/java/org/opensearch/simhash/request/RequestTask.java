/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.request;

import java.util.Map;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.CancellableTask;

/** A cancellable task; cancellation extends to its child requests. */
public final class RequestTask extends CancellableTask {

    public RequestTask(
            long id, String type, String action, String description, TaskId parent, Map<String, String> headers) {
        super(id, type, action, description, parent, headers);
    }

    @Override
    public boolean shouldCancelChildrenOnCancellation() {
        return true;
    }
}
