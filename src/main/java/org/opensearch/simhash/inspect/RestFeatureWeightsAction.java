/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/feature_weights/{index}}; ends when the client goes away. */
public final class RestFeatureWeightsAction extends BaseRestHandler {

    @Override
    public String getName() {
        return "simhash_feature_weights_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/feature_weights/{index}"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        FeatureWeightsAction.Request weights = read(request);
        return channel -> new RestCancellableNodeClient(client, request.getHttpChannel())
                .execute(FeatureWeightsAction.INSTANCE, weights, new RestToXContentListener<>(channel));
    }

    private static FeatureWeightsAction.Request read(RestRequest request) throws IOException {
        String[] indices = Strings.splitStringByCommaToArray(request.param("index"));
        if (request.hasContent() == false) {
            return FeatureWeightsAction.Request.fromXContent(indices, null);
        }
        try (XContentParser parser = request.contentParser()) {
            return FeatureWeightsAction.Request.fromXContent(indices, parser);
        }
    }
}
