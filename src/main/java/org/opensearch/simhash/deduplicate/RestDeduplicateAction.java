/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActionListener;
import org.opensearch.simhash.deduplicate.job.JobHandler;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.deduplicate.schedule.ScheduledRun;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/deduplicate/{index}}. The job goes on if the client disconnects. */
public final class RestDeduplicateAction extends JobHandler {

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
        RestRules.requireMeant(request);
        DeduplicateAction.Request job = read(request);
        RestChannelConsumer start = start(request, client, DeduplicateAction.INSTANCE, job, job::storeResult);
        return job.options().sinceLast() ? whenFree(job.options().dest(), client, start) : start;
    }

    /** A rival run is an error at once, also for a client that does not wait. */
    private static RestChannelConsumer whenFree(String dest, NodeClient client, RestChannelConsumer start) {
        return channel -> ScheduledRun.requireFree(client, dest, new RestActionListener<Void>(channel) {
            @Override
            protected void processResponse(Void free) throws Exception {
                start.accept(channel);
            }
        });
    }

    private static DeduplicateAction.Request read(RestRequest request) throws IOException {
        String[] indices = RestRules.indices(request);
        WritePace pace = pace(request);
        if (request.hasContent() == false) {
            return new DeduplicateAction.Request(indices, DeduplicateOptions.fromXContent(null), pace);
        }
        try (XContentParser parser = request.contentParser()) {
            return new DeduplicateAction.Request(indices, DeduplicateOptions.fromXContent(parser), pace);
        }
    }
}
