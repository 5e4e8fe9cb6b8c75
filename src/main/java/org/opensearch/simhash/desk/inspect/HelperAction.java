/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.Map;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectRequest;
import org.opensearch.simhash.desk.inspect.HelperWork.InspectThreads;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.RequestOnIndices.RequestTask;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.memory.FingerprintMemory;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/** Answers on the node that was asked, on the helpers' threads, within their limits of time and memory. */
public abstract class HelperAction<R extends InspectRequest> extends LocalAction<R, JsonResponse> {

    /** The size of a book. */
    static final int MAX_BYTES = 10 << 20;

    final InspectServices services;

    HelperAction(String name, InspectServices services) {
        super(name, services.transport(), services.filters());
        this.services = services;
    }

    @Override
    protected final void doExecute(Task task, R request, ActionListener<JsonResponse> listener) {
        HelperWork work = new HelperWork(
                services.client().threadPool(),
                (CancellableTask) task,
                services.memory(),
                services.cluster().getClusterSettings().get(InspectThreads.MAX_TIME));
        ActionListener<JsonResponse> holding = work.holding(((InspectRequest) request).bytes, listener);
        try {
            start(request, work, holding);
        } catch (Exception e) {
            holding.onFailure(e);
        }
    }

    /** Reads a request, which is cancelled when the client disconnects. */
    public static <R extends InspectRequest> Endpoint.Work route(
            ActionType<JsonResponse> action, Endpoint.Reader<R> reader) {
        return (request, names, client) -> {
            int bytes = request.content().length();
            TypedNumber.requireAtMost("the body", MAX_BYTES, "bytes", bytes);
            R inspected = reader.read(request, names);
            ((InspectRequest) inspected).bytes = bytes;
            return Endpoint.whileConnected(request, client, action, inspected);
        };
    }

    /** Answers in a step of the work. Does not block. */
    abstract void start(R request, HelperWork work, ActionListener<JsonResponse> listener) throws Exception;

    /** A text to inspect, and the choice of a recipe. Its task is cancellable. */
    public abstract static class InspectRequest extends ActionRequest {

        private final RecipeChoice recipe;

        /** Size of the body on this node; 0 without a body. */
        private long bytes;

        InspectRequest(RecipeChoice recipe) {
            this.recipe = recipe;
        }

        final RecipeChoice recipe() {
            return recipe;
        }

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

    public record InspectServices(
            TransportService transport,
            ActionFilters filters,
            Client client,
            ClusterService cluster,
            IndexNameExpressionResolver resolver,
            PipelineRecipes recipes,
            FingerprintMemory memory) {

        @Inject
        public InspectServices {}
    }
}
