/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.request;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.Strings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.transport.client.node.NodeClient;

/**
 * A handler of one or more routes. No request means all indices by mistake, and no foreign page changes anything or starts work: both
 * are checked before a request is read. Immutable.
 */
public final class Endpoint extends BaseRestHandler {

    /** Reads and checks a request, and returns what answers it. */
    @FunctionalInterface
    public interface Work {

        /** @param names the indices of the request; empty if the endpoint needs none */
        CheckedConsumer<RestChannel, Exception> of(RestRequest request, String[] names, NodeClient client)
                throws IOException;
    }

    @FunctionalInterface
    public interface Reader<R> {

        R read(RestRequest request, String[] names) throws IOException;
    }

    private static final String PREFIX = "/_plugins/_simhash";

    private final List<Route> routes;
    private final String named;
    private final String name;
    private final Work work;

    /**
     * @param routes methods and paths, for example {@code GET stats, GET stats/{stat}}; none is {@code "GET "}
     * @param named the parameter that must name indices, or null
     * @param name of its counter in the metrics
     */
    public Endpoint(String routes, String named, String name, Work work) {
        this.routes = Arrays.stream(routes.split(", ", -1)).map(Endpoint::route).toList();
        this.named = named;
        this.name = name;
        this.work = work;
    }

    private static Route route(String typed) {
        String[] parts = typed.split(" ", -1);
        return new Route(RestRequest.Method.valueOf(parts[0]), parts[1].isEmpty() ? PREFIX : PREFIX + "/" + parts[1]);
    }

    @Override
    public String getName() {
        return "simhash_" + name + "_action";
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        String[] names = named == null ? new String[0] : names(named, request.param(named));
        // Browsers ask the node before they send another method that changes something.
        if (request.method() == RestRequest.Method.POST) {
            requireMeant(request);
        }
        return work.of(request, names, client)::accept;
    }

    /** The names in a list with commas, without blank ones. An empty list would mean all indices. */
    public static String[] names(String parameter, String typed) {
        String[] names = Arrays.stream(Strings.splitStringByCommaToArray(typed))
                .filter(name -> name.isBlank() == false)
                .toArray(String[]::new);
        if (areNone(names)) {
            throw new IllegalArgumentException("[" + parameter
                    + "] must name an index, an alias or a pattern (_all for all indices), got: " + typed);
        }
        return names;
    }

    /** Whether there are only exclusions, or nothing at all, which OpenSearch takes for all indices. */
    static boolean areNone(String... names) {
        return Arrays.stream(names).allMatch(name -> name == null || name.isBlank() || name.startsWith("-"));
    }

    /**
     * Refuses a request without body that a form or a script of a foreign page may have sent: a browser asks the node before it
     * sends a type of JSON. OpenSearch itself refuses bodies of other types, with the same status.
     */
    public static void requireMeant(RestRequest request) {
        if (request.hasContent() == false && request.getMediaType() == null) {
            throw new OpenSearchStatusException(
                    "[Content-Type] must be application/json where a request changes something or starts work, also without a body"
                            + " ({} is one), got: " + request.header("Content-Type"),
                    RestStatus.NOT_ACCEPTABLE);
        }
    }

    /** Executes an action, which goes on if the client disconnects. */
    public static <R extends ActionRequest, A extends ActionResponse & ToXContentObject> Work answer(
            ActionType<A> action, Reader<R> reader) {
        return (request, names, client) -> {
            R read = reader.read(request, names);
            return channel -> client.execute(action, read, new RestToXContentListener<>(channel));
        };
    }

    /** Executes an action, which is cancelled if the client disconnects. */
    public static <R extends ActionRequest, A extends ActionResponse & ToXContentObject> Work answerWhileConnected(
            ActionType<A> action, Reader<R> reader) {
        return (request, names, client) -> whileConnected(request, client, action, reader.read(request, names));
    }

    public static <R extends ActionRequest, A extends ActionResponse & ToXContentObject>
            CheckedConsumer<RestChannel, Exception> whileConnected(
                    RestRequest request, NodeClient client, ActionType<A> action, R read) {
        return channel -> new RestCancellableNodeClient(client, request.getHttpChannel())
                .execute(action, read, new RestToXContentListener<>(channel));
    }

    /** Reads a body, which must be there. */
    public static <T> T body(RestRequest request, CheckedFunction<XContentParser, T, IOException> reader)
            throws IOException {
        try (XContentParser parser = request.contentParser()) {
            return reader.apply(parser);
        }
    }

    /** Reads a body. The reader gets null if there is none. */
    public static <T> T optionalBody(RestRequest request, CheckedFunction<XContentParser, T, IOException> reader)
            throws IOException {
        return request.hasContent() ? body(request, reader) : reader.apply(null);
    }

    /** Reads the body of a request whose options are all parameters: none, or an empty object. */
    public static void requireNoOptions(RestRequest request) throws IOException {
        optionalBody(
                request,
                parser -> parser == null
                        ? null
                        : RequestOptions.body(new ObjectParser<Object, Void>("body", Object::new), parser));
    }

    /** Names what was meant by unknown values of a parameter. */
    public static String meant(RestRequest request, Set<String> unknown, Collection<String> known, String parameter) {
        return new Endpoint("GET " + parameter, null, parameter, null)
                .unrecognized(request, unknown, Set.copyOf(known), parameter);
    }
}
