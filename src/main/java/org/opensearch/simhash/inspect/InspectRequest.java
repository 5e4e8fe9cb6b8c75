/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.Map;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.request.RequestTask;
import org.opensearch.tasks.Task;

/** A text to inspect, and the choice of a recipe. Its task is cancellable. */
abstract class InspectRequest extends ActionRequest {

    private final RecipeChoice recipe;

    /** Size of the body on this node; 0 without a body. */
    private long bytes;

    InspectRequest(RecipeChoice recipe) {
        this.recipe = recipe;
    }

    final RecipeChoice recipe() {
        return recipe;
    }

    final long bytes() {
        return bytes;
    }

    final void readFrom(long bytesOfBody) {
        bytes = bytesOfBody;
    }

    /** Description of the task. */
    abstract String description();

    @Override
    public ActionRequestValidationException validate() {
        return null;
    }

    @Override
    public Task createTask(long id, String type, String action, TaskId parent, Map<String, String> headers) {
        return new RequestTask(id, type, action, description(), parent, headers);
    }
}
