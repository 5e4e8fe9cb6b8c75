/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.request;

import java.io.IOException;
import java.util.Arrays;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.common.Strings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.options.RequestOptions;

/** What holds for all routes: no request means all indices by mistake, and no foreign page changes anything. */
public final class RestRules {

    private static final String INDEX = "index";

    private RestRules() {}

    /** The names of indices in the path. An empty list would mean all indices. */
    public static String[] indices(RestRequest request) {
        return names(INDEX, request.param(INDEX));
    }

    /**
     * The names in a list with commas, without blank ones.
     *
     * @param typed may be null
     * @throws IllegalArgumentException if it names nothing
     */
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

    /** Whether only exclusions are left, which OpenSearch takes from nothing, or nothing at all, which it takes for all. */
    static boolean areNone(String... names) {
        return Arrays.stream(names).allMatch(name -> name == null || name.isBlank() || name.startsWith("-"));
    }

    /**
     * Refuses a request without body that a form or a script of a foreign page may have sent: a browser asks the node before it
     * sends a type of JSON. OpenSearch itself refuses bodies of other types.
     *
     * @throws OpenSearchStatusException with HTTP 406, as OpenSearch answers such bodies
     */
    public static void requireMeant(RestRequest request) {
        if (request.hasContent() == false && request.getMediaType() == null) {
            throw new OpenSearchStatusException(
                    "[Content-Type] must be application/json where a request changes something, also without a body"
                            + " ({} is one), got: " + request.header("Content-Type"),
                    RestStatus.NOT_ACCEPTABLE);
        }
    }

    /** Reads the body of a request whose options are all parameters: none, or an empty object. */
    public static void requireNoOptions(RestRequest request) throws IOException {
        if (request.hasContent()) {
            try (XContentParser parser = request.contentParser()) {
                RequestOptions.body(new ObjectParser<Object, Void>("body", Object::new), parser);
            }
        }
    }
}
