/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.List;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /_plugins/_simhash/check/{index}}. Cancelled if the client disconnects. */
public final class RestCheckAction extends BaseRestHandler {

    @Override
    public String getName() {
        return "simhash_check_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.GET, "/_plugins/_simhash/check/{index}"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
        CheckAction.Request check = new CheckAction.Request(
                RestRules.indices(request),
                request.param("field", FingerprintFields.DEFAULT_OBJECT),
                request.paramAsInt("sample_size", CheckAction.DEFAULT_SAMPLE_SIZE),
                request.paramAsInt("text_sample_size", CheckAction.DEFAULT_TEXT_SAMPLE_SIZE));
        return channel -> new RestCancellableNodeClient(client, request.getHttpChannel())
                .execute(CheckAction.INSTANCE, check, new RestToXContentListener<>(channel));
    }
}
