/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.request;

import java.util.Map;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.ValidateActions;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/**
 * A request on indices, aliases or patterns, resolved as in a search. A security filter may replace the names.
 * Subclasses validate their options when they read them.
 */
public abstract class RequestOnIndices extends ActionRequest implements IndicesRequest.Replaceable {

    /** Matches no index; an empty list means all. */
    private static final String[] NO_INDEX = {"*", "-*"};

    private String[] indices;

    protected RequestOnIndices(String... indices) {
        this.indices = indices;
    }

    @Override
    public final String[] indices() {
        return indices;
    }

    /** Called by a security filter with the permitted indices, perhaps none. */
    @Override
    public final IndicesRequest indices(String... replaced) {
        indices = permitted(replaced);
        return this;
    }

    /** The permitted names of a request; none does not mean all. */
    public static String[] permitted(String... replaced) {
        return replaced.length == 0 ? NO_INDEX.clone() : replaced;
    }

    @Override
    public IndicesOptions indicesOptions() {
        return SearchRequest.DEFAULT_INDICES_OPTIONS;
    }

    @Override
    public ActionRequestValidationException validate() {
        return Endpoint.areNone(indices)
                ? ValidateActions.addValidationError(
                        "[index] must name an index, an alias or a pattern (_all for all indices), got: "
                                + String.join(",", indices),
                        null)
                : null;
    }

    @Override
    public Task createTask(long id, String type, String action, TaskId parent, Map<String, String> headers) {
        return new RequestTask(id, type, action, getDescription(), parent, headers);
    }

    /** A cancellable task; cancellation extends to its child requests. */
    public static class RequestTask extends CancellableTask {

        public RequestTask(
                long id, String type, String action, String description, TaskId parent, Map<String, String> headers) {
            super(id, type, action, description, parent, headers);
        }

        /** Fails if somebody has cancelled it. */
        public static void requireGoing(Task task) {
            if (task instanceof CancellableTask one && one.isCancelled()) {
                throw new TaskCancelledException(one.getDescription() + " was cancelled: " + one.getReasonCancelled());
            }
        }

        @Override
        public boolean shouldCancelChildrenOnCancellation() {
            return true;
        }
    }
}
