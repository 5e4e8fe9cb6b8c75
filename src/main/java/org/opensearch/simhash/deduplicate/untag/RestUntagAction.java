/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.untag;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.deduplicate.job.JobHandler;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/deduplicate/{index}/untag}. */
public final class RestUntagAction extends JobHandler {

    @Override
    public String getName() {
        return "simhash_untag_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/deduplicate/{index}/untag"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        RestRules.requireMeant(request);
        UntagAction.Request untag = read(request);
        return start(request, client, UntagAction.INSTANCE, untag, untag::storeResult);
    }

    private static UntagAction.Request read(RestRequest request) throws IOException {
        String[] indices = RestRules.indices(request);
        if (request.hasContent() == false) {
            return UntagAction.Request.fromXContent(indices, null, pace(request));
        }
        try (XContentParser parser = request.contentParser()) {
            return UntagAction.Request.fromXContent(indices, parser, pace(request));
        }
    }
}
