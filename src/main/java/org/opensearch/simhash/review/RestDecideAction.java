/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/review/{dest}/decide}: stores a decision of the page. */
public final class RestDecideAction extends BaseRestHandler {

    @Override
    public String getName() {
        return "simhash_review_decide_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/review/{dest}/decide"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        RestRules.requireMeant(request);
        RestRules.names("dest", request.param("dest"));
        DecideAction.Request decide;
        try (XContentParser parser = request.contentParser()) {
            decide = new DecideAction.Request(request.param("dest"), Decision.fromXContent(parser));
        }
        return channel -> client.execute(DecideAction.INSTANCE, decide, new RestToXContentListener<>(channel));
    }
}
