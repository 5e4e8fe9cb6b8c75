/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionType;
import org.opensearch.action.admin.cluster.node.tasks.get.GetTaskRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.simhash.desk.door.HtmlPage;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRequest;
import org.opensearch.simhash.jobs.job.JobRequest.JobRoutes;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobRunner.JobAction;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.tasks.TaskResult;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.node.NodeClient;

/** Suggests a distance and a similarity for some indices. Only reads. */
public final class CalibrateAction extends JobAction<CalibrateAction.Request, JsonResponse> {

    public static final String NAME = "indices:data/read/simhash/calibrate";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private static final String SVG = "svg";
    private static final String JSON = "json";
    private static final String HTML = "html";

    @Inject
    public CalibrateAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(NAME, services, filters, jobs, DeduplicateThreads.JOB);
    }

    public static final class Request extends JobRequest<CalibrateOptions> {

        /** A calibration writes nothing. */
        private static final WritePace ANY = WritePace.of(-1);

        Request(String[] indices, CalibrateOptions options) {
            super(indices, options, ANY);
        }

        @Override
        public String getDescription() {
            return "calibrate [" + String.join(",", indices()) + "]";
        }
    }

    @Override
    protected CheckedSupplier<JsonResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        return () -> new JsonResponse(new Calibration(services, task, client).run(request));
    }

    /** With {@code task} the answer of a finished one, with {@code format=svg} as a picture; {@code format=html} is a page for both. */
    public static CheckedConsumer<RestChannel, Exception> route(
            RestRequest request, String[] indices, NodeClient client) throws IOException {
        String format = request.param("format", JSON);
        if (List.of(JSON, SVG, HTML).contains(format) == false) {
            throw new IllegalArgumentException(
                    "[format] must be one of " + List.of(JSON, SVG, HTML) + ", got: " + format);
        }
        if (format.equals(HTML)) {
            request.param("task"); // The page reads it from its address.
            return HtmlPage.CALIBRATE::send;
        }
        boolean isPicture = format.equals(SVG);
        if (request.hasParam("task")) {
            GetTaskRequest get = new GetTaskRequest().setTaskId(new TaskId(request.param("task")));
            return channel -> client.admin()
                    .cluster()
                    .getTask(get, listener(channel, isPicture, response -> answer(response.getTask())));
        }
        Request calibrate = new Request(indices, Endpoint.optionalBody(request, CalibrateOptions::fromXContent));
        if (isPicture && request.paramAsBoolean("wait_for_completion", true)) {
            return channel -> client.executeLocally(INSTANCE, calibrate, listener(channel, true, JsonResponse::asMap));
        }
        return JobRoutes.start(request, client, INSTANCE, calibrate);
    }

    private static Map<String, Object> answer(TaskResult result) {
        TaskInfo task = result.getTask();
        if (task.getAction().equals(NAME) == false) {
            throw new IllegalArgumentException("[task] must be one of a calibration, got: " + task.getTaskId()
                    + ", which is one of [" + task.getAction() + "]");
        }
        if (result.isCompleted() == false) {
            throw new OpenSearchStatusException(
                    "[task] must be one that is done, got: " + task.getTaskId() + ", which is not",
                    RestStatus.CONFLICT);
        }
        if (result.getError() != null) {
            throw new OpenSearchStatusException(
                    "[task] must be one that has an answer, got: " + task.getTaskId() + ", which failed: "
                            + result.getErrorAsMap().get("reason"),
                    RestStatus.CONFLICT);
        }
        return result.getResponseAsMap();
    }

    private static <T> RestResponseListener<T> listener(
            RestChannel channel, boolean isPicture, Function<T, Map<String, Object>> answer) {
        return new RestResponseListener<>(channel) {
            @Override
            public RestResponse buildResponse(T response) throws IOException {
                Map<String, Object> shown = answer.apply(response);
                return isPicture
                        ? new BytesRestResponse(RestStatus.OK, "image/svg+xml; charset=UTF-8", Picture.svg(shown))
                        : new BytesRestResponse(
                                RestStatus.OK, channel.newBuilder().map(shown));
            }
        };
    }
}
