/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.util.function.Consumer;
import org.opensearch.ExceptionsHelper;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** A handler that counts its answers, including errors that it throws. Thread-safe. */
final class CountedHandler extends RestHandler.Wrapper {

    private final Consumer<RestStatus> counts;

    CountedHandler(RestHandler handler, Consumer<RestStatus> counts) {
        super(handler);
        this.counts = counts;
    }

    @Override
    public void handleRequest(RestRequest request, RestChannel channel, NodeClient client) throws Exception {
        CountedChannel counted = new CountedChannel(channel, counts);
        try {
            super.handleRequest(request, counted, client);
        } catch (Exception e) {
            counted.count(ExceptionsHelper.status(e));
            throw e;
        }
    }
}
