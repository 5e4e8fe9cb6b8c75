/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.util.List;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /_plugins/_simhash/review/{dest}/groups}: the groups of the page, as JSON. */
public final class RestGroupsAction extends BaseRestHandler {

    @Override
    public String getName() {
        return "simhash_review_groups_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.GET, "/_plugins/_simhash/review/{dest}/groups"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
        GroupChoice choice = new GroupChoice(
                request.param("run"),
                request.param("decision"),
                number(request, "min_similarity"),
                number(request, "max_similarity"),
                number(request, "min_size"),
                number(request, "max_size"),
                request.param("after"),
                request.paramAsInt("size", GroupChoice.DEFAULT_SIZE));
        GroupsAction.Request groups = new GroupsAction.Request(request.param("dest"), choice);
        return channel -> client.execute(GroupsAction.INSTANCE, groups, new RestToXContentListener<>(channel));
    }

    private static Double number(RestRequest request, String name) {
        String typed = request.param(name);
        try {
            return typed == null || typed.isEmpty() ? null : Double.valueOf(typed);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("[" + name + "] must be a number, got: " + typed, e);
        }
    }
}
