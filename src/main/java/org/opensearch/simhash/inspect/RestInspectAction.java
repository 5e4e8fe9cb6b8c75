/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.opensearch.action.ActionType;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/} and the name of a helper. Cancelled when the client disconnects. */
public final class RestInspectAction<R extends InspectRequest, A extends ActionResponse & ToXContentObject>
        extends BaseRestHandler {

    /** The size of a book. */
    static final int MAX_BYTES = 10 << 20;

    private final String name;
    private final String parameters;
    private final Function<R, ActionType<A>> action;
    private final CheckedFunction<RestRequest, R, IOException> reader;

    /**
     * @param parameters the rest of the path
     * @param action executes a request
     */
    private RestInspectAction(
            String name,
            String parameters,
            Function<R, ActionType<A>> action,
            CheckedFunction<RestRequest, R, IOException> reader) {
        this.name = name;
        this.parameters = parameters;
        this.action = action;
        this.reader = reader;
    }

    public static List<BaseRestHandler> all() {
        return List.of(
                new RestInspectAction<>(
                        "fingerprint",
                        "",
                        request -> FingerprintAction.INSTANCE,
                        request -> body(request, FingerprintAction.Request::fromXContent)),
                new RestInspectAction<>(
                        "compare", "", ComparedTexts::action, request -> body(request, ComparedTexts::fromXContent)),
                new RestInspectAction<>(
                        "feature_weights",
                        "/{index}",
                        request -> FeatureWeightsAction.INSTANCE,
                        RestInspectAction::featureWeights));
    }

    private static FeatureWeightsAction.Request featureWeights(RestRequest request) throws IOException {
        String[] indices = RestRules.indices(request);
        return request.hasContent()
                ? body(request, parser -> FeatureWeightsAction.Request.fromXContent(indices, parser))
                : FeatureWeightsAction.Request.fromXContent(indices, null);
    }

    private static <T> T body(RestRequest request, CheckedFunction<XContentParser, T, IOException> reader)
            throws IOException {
        try (XContentParser parser = request.contentParser()) {
            return reader.apply(parser);
        }
    }

    @Override
    public String getName() {
        return "simhash_" + name + "_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/" + name + parameters));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        int bytes = request.content().length();
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("the body must have at most " + MAX_BYTES + " bytes, got: " + bytes);
        }
        R inspected = reader.apply(request);
        inspected.readFrom(bytes);
        return channel -> new RestCancellableNodeClient(client, request.getHttpChannel())
                .execute(action.apply(inspected), inspected, new RestToXContentListener<>(channel));
    }
}
