/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.util.List;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.desk.request.Html;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /_plugins/_simhash/review/{dest}}: the page. */
public final class ReviewRoute implements Endpoint.Work {

    /** The page reads these from its address. */
    private static final List<String> PARAMETERS = List.of(
            "dest",
            "run",
            "text",
            "columns",
            "decision",
            "min_similarity",
            "max_similarity",
            "min_size",
            "max_size",
            "group",
            "member",
            "difference");

    private final ReviewPage page = new ReviewPage();

    @Override
    public CheckedConsumer<RestChannel, Exception> of(RestRequest request, String[] names, NodeClient client) {
        PARAMETERS.forEach(request::param);
        return channel -> channel.sendResponse(Html.response(page.html(), page.policy()));
    }
}
