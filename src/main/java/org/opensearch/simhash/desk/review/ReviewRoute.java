/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import org.opensearch.common.CheckedConsumer;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.desk.request.Html;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /_plugins/_simhash/review/{dest}}: the page. */
public final class ReviewRoute implements Endpoint.Work {

    private final ReviewPage page = new ReviewPage();

    @Override
    public CheckedConsumer<RestChannel, Exception> of(RestRequest request, String[] names, NodeClient client) {
        // The page reads these from its address.
        request.param("dest");
        request.param("run");
        request.param("text");
        request.param("columns");
        request.param("decision");
        request.param("min_similarity");
        request.param("max_similarity");
        request.param("min_size");
        request.param("max_size");
        request.param("group");
        request.param("member");
        request.param("difference");
        return channel -> channel.sendResponse(Html.response(page.html(), page.policy()));
    }
}
