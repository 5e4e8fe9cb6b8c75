/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/fingerprint}; ends when the client goes away, at least before it has begun. */
public final class RestFingerprintAction extends BaseRestHandler {

    @Override
    public String getName() {
        return "simhash_fingerprint_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/fingerprint"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        try (XContentParser parser = request.contentParser()) {
            FingerprintAction.Request fingerprint = FingerprintAction.Request.fromXContent(parser);
            return channel -> new RestCancellableNodeClient(client, request.getHttpChannel())
                    .execute(FingerprintAction.INSTANCE, fingerprint, new RestToXContentListener<>(channel));
        }
    }
}
