/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.restore;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.deduplicate.job.JobHandler;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/deduplicate/{index}/restore}. */
public final class RestRestoreAction extends JobHandler {

    @Override
    public String getName() {
        return "simhash_restore_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/deduplicate/{index}/restore"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        RestRules.requireMeant(request);
        String[] indices = RestRules.indices(request);
        RestoreAction.Request restore;
        try (XContentParser parser = request.contentParser()) {
            restore = RestoreAction.Request.fromXContent(indices, parser, pace(request));
        }
        return start(request, client, RestoreAction.INSTANCE, restore, restore::storeResult);
    }
}
