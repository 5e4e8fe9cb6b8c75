/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.request.Endpoint;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.transport.client.node.NodeClient;

/** Starts jobs, with the URL parameters of {@code _delete_by_query}. */
public final class JobRoutes {

    private static final int SCROLL_SIZE = 1_000;

    private JobRoutes() {}

    @FunctionalInterface
    public interface Reader<R> {

        /** @param parser null if there is no body */
        R read(String[] indices, XContentParser parser, WritePace pace) throws IOException;
    }

    public static <R extends JobRequest, A extends ActionResponse & StatusToXContentObject> Endpoint.Work job(
            ActionType<A> action, Reader<R> reader) {
        return (request, indices, client) -> start(request, client, action, read(request, indices, reader));
    }

    public static <R> R read(RestRequest request, String[] indices, Reader<R> reader) throws IOException {
        WritePace pace = WritePace.of(
                request.paramAsFloat("requests_per_second", -1), request.paramAsInt("scroll_size", SCROLL_SIZE));
        return Endpoint.optionalBody(request, parser -> reader.read(indices, parser, pace));
    }

    /**
     * Starts a job, which outlives the client's connection. Answers with its result, or with its task, which keeps the result,
     * if the client does not wait.
     */
    public static <A extends ActionResponse & StatusToXContentObject> CheckedConsumer<RestChannel, Exception> start(
            RestRequest request, NodeClient client, ActionType<A> action, JobRequest job) {
        if (request.paramAsBoolean("wait_for_completion", true)) {
            return channel -> client.executeLocally(action, job, new RestStatusToXContentListener<>(channel));
        }
        Endpoint.requireMeant(request); // Its result is stored.
        job.storeResult();
        return channel -> sendTask(
                channel,
                client,
                client.executeLocally(action, job, LoggingTaskListener.instance())
                        .getId());
    }

    /** Answers with the task that works on. */
    public static void sendTask(RestChannel channel, NodeClient client, long task) throws IOException {
        try (XContentBuilder builder = channel.newBuilder()) {
            builder.startObject()
                    .field("task", client.getLocalNodeId() + ":" + task)
                    .endObject();
            channel.sendResponse(new BytesRestResponse(RestStatus.OK, builder));
        }
    }
}
