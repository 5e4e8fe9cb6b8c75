/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.transport.client.node.NodeClient;

/** Starts jobs, with the URL parameters of {@code _delete_by_query}. */
public abstract class JobHandler extends BaseRestHandler {

    private static final int SCROLL_SIZE = 1_000;

    protected static WritePace pace(RestRequest request) {
        return WritePace.of(
                request.paramAsFloat("requests_per_second", -1), request.paramAsInt("scroll_size", SCROLL_SIZE));
    }

    /**
     * Starts a job, which outlives the client's connection. Answers with its result, or with its task if the client
     * does not wait.
     *
     * @param storeResult makes the task keep the result
     */
    protected static <Request extends ActionRequest, Response extends ActionResponse & StatusToXContentObject>
            RestChannelConsumer start(
                    RestRequest request,
                    NodeClient client,
                    ActionType<Response> action,
                    Request job,
                    Runnable storeResult) {
        if (request.paramAsBoolean("wait_for_completion", true)) {
            return channel -> client.executeLocally(action, job, new RestStatusToXContentListener<>(channel));
        }
        storeResult.run();
        return channel -> {
            long task = client.executeLocally(action, job, LoggingTaskListener.instance())
                    .getId();
            try (XContentBuilder builder = channel.newBuilder()) {
                builder.startObject()
                        .field("task", client.getLocalNodeId() + ":" + task)
                        .endObject();
                channel.sendResponse(new BytesRestResponse(RestStatus.OK, builder));
            }
        };
    }
}
