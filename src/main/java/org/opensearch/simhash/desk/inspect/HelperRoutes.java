/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.function.Function;
import org.opensearch.action.ActionType;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectRequest;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.JsonResponse;

/** Reads requests to the helpers. They are cancelled when the client disconnects. */
public final class HelperRoutes {

    /** The size of a book. */
    static final int MAX_BYTES = 10 << 20;

    private HelperRoutes() {}

    public static Endpoint.Work fingerprint() {
        return work(
                any -> FingerprintAction.INSTANCE,
                (request, none) -> Endpoint.body(request, FingerprintAction.Request::fromXContent));
    }

    public static Endpoint.Work compare() {
        return work(
                CompareTextsAction.TwoTexts::action,
                (request, none) -> Endpoint.body(request, CompareTextsAction.TwoTexts::fromXContent));
    }

    public static Endpoint.Work featureWeights() {
        return work(
                any -> FeatureWeightsAction.INSTANCE,
                (request, indices) -> Endpoint.optionalBody(
                        request, parser -> FeatureWeightsAction.Request.fromXContent(indices, parser)));
    }

    public static Endpoint.Work blocks() {
        return work(
                any -> BlocksAction.INSTANCE,
                (request, indices) ->
                        Endpoint.optionalBody(request, parser -> BlocksAction.Request.fromXContent(indices, parser)));
    }

    private static <R extends InspectRequest> Endpoint.Work work(
            Function<R, ActionType<JsonResponse>> action, Endpoint.Reader<R> reader) {
        return (request, names, client) -> {
            int bytes = request.content().length();
            TypedNumber.requireAtMost("the body", MAX_BYTES, "bytes", bytes);
            R inspected = reader.read(request, names);
            inspected.readFrom(bytes);
            return Endpoint.whileConnected(request, client, action.apply(inspected), inspected);
        };
    }
}
