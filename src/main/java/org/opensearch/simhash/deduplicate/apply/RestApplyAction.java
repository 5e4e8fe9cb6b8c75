/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.apply;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.deduplicate.job.JobHandler;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/deduplicate/{index}/apply}. The job goes on if the client disconnects. */
public final class RestApplyAction extends JobHandler {

    @Override
    public String getName() {
        return "simhash_apply_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/deduplicate/{index}/apply"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        RestRules.requireMeant(request);
        String[] indices = RestRules.indices(request);
        ApplyAction.Request apply;
        try (XContentParser parser = request.contentParser()) {
            apply = new ApplyAction.Request(indices, ApplyOptions.fromXContent(parser), pace(request));
        }
        return start(request, client, ApplyAction.INSTANCE, apply, apply::storeResult);
    }
}
