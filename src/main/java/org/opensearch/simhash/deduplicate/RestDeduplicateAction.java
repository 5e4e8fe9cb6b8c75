/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.Strings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/deduplicate/{index}}; the job goes on when the client goes away. */
public final class RestDeduplicateAction extends BaseRestHandler {

    private static final int SCROLL_SIZE = 1_000;

    @Override
    public String getName() {
        return "simhash_deduplicate_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/deduplicate/{index}"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        DeduplicateAction.Request job = read(request);
        if (request.paramAsBoolean("wait_for_completion", true)) {
            return channel ->
                    client.executeLocally(DeduplicateAction.INSTANCE, job, new RestStatusToXContentListener<>(channel));
        }
        job.storeResult();
        String task = client.getLocalNodeId() + ":"
                + client.executeLocally(DeduplicateAction.INSTANCE, job, LoggingTaskListener.instance())
                        .getId();
        return channel -> {
            try (XContentBuilder builder = channel.newBuilder()) {
                builder.startObject().field("task", task).endObject();
                channel.sendResponse(new BytesRestResponse(RestStatus.OK, builder));
            }
        };
    }

    private static DeduplicateAction.Request read(RestRequest request) throws IOException {
        String[] indices = Strings.splitStringByCommaToArray(request.param("index"));
        float requestsPerSecond = requestsPerSecond(request);
        int scrollSize = request.paramAsInt("scroll_size", SCROLL_SIZE);
        if (request.hasContent() == false) {
            return new DeduplicateAction.Request(
                    indices, DeduplicateOptions.fromXContent(null, requestsPerSecond, scrollSize));
        }
        try (XContentParser parser = request.contentParser()) {
            return new DeduplicateAction.Request(
                    indices, DeduplicateOptions.fromXContent(parser, requestsPerSecond, scrollSize));
        }
    }

    private static float requestsPerSecond(RestRequest request) {
        float value = request.paramAsFloat("requests_per_second", -1);
        return value == -1 ? Float.POSITIVE_INFINITY : value;
    }
}
