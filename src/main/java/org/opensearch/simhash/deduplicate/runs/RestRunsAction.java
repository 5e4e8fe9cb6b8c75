/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.runs;

import java.util.List;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /_plugins/_simhash/deduplicate/runs?archive=}. */
public final class RestRunsAction extends BaseRestHandler {

    @Override
    public String getName() {
        return "simhash_runs_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.GET, "/_plugins/_simhash/deduplicate/runs"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
        String[] names = RestRules.names("archive", request.param("archive"));
        return channel -> client.execute(
                RunsAction.INSTANCE, new RunsAction.Request(names), new RestToXContentListener<>(channel));
    }
}
