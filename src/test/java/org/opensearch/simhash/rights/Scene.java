/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** A node as its users see it: as somebody who may do everything, and as somebody with a role. One thread. */
final class Scene implements AutoCloseable {

    static final String TRAM = "The city council approved the new tram line on Monday. Construction between the central"
            + " station and the university starts in October and takes three years. The line costs 250 million euros,"
            + " half of it paid by the federal government.";
    static final String COPY = TRAM.replace("federal government", "state");
    static final String BREAD =
            "Bake the bread at 230 degrees for ten minutes, then turn the oven down and wait for half"
                    + " an hour more until the crust is brown and the kitchen smells of malt.";

    private static final String SMALL = "\"index.number_of_shards\":1,\"index.number_of_replicas\":0";

    private final RestClient admin;
    private final RestClient user;

    Scene(URI address, String role) {
        this.admin = new RestClient(address, Map.of(RightsGuard.HEADER, RightsGuard.ADMIN));
        this.user = new RestClient(address, Map.of(RightsGuard.HEADER, role));
    }

    Scene(RestClient admin, RestClient user) {
        this.admin = admin;
        this.user = user;
    }

    RestClient admin() {
        return admin;
    }

    Answer must(String method, String path, String body) {
        Answer answer = admin.must(method, path, body);
        requireWritten(path, answer, false);
        return answer;
    }

    /** An index without documents; one of before that has the name goes. */
    void create(String index, String settings) {
        remove(index);
        must("PUT", "/" + index, "{\"settings\":{" + SMALL + settings + "}}");
    }

    void remove(String... indices) {
        must("DELETE", "/" + String.join(",", indices) + "?ignore_unavailable=true", null);
    }

    /** A text and its copy, and another one. */
    void fill(String index) {
        bulk(index, "tram", TRAM, "copy", COPY, "bread", BREAD);
    }

    void bulk(String index, String... idsAndTexts) {
        must("POST", "/" + index + "/_bulk?refresh=true", lines(idsAndTexts));
    }

    static String lines(String... idsAndTexts) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < idsAndTexts.length; i += 2) {
            lines.append("{\"index\":{\"_id\":\"").append(idsAndTexts[i]).append("\"}}\n");
            lines.append(content(idsAndTexts[i + 1])).append('\n');
        }
        return lines.toString();
    }

    static String content(String text) {
        return "{\"content\":\"" + text + "\"}";
    }

    /** What the role gets; every answer but an error counts. */
    Answer as(String method, String path, String body) {
        Answer answer = user.send(method, path, body);
        if (answer.status() == 403) {
            throw new Refused(answer);
        }
        if (answer.ok() == false) {
            throw new AssertionError(method + " " + path + ": " + answer);
        }
        requireWritten(path, answer, true);
        return answer;
    }

    private static void requireWritten(String path, Answer answer, boolean mayBeRefused) {
        if (path.contains("_bulk") == false || (boolean) answer.at("errors") == false) {
            return;
        }
        if (mayBeRefused && answer.text().contains("\"status\":403")) {
            throw new Refused(answer);
        }
        throw new AssertionError(path + ": " + answer);
    }

    /** The ids of an index as it is stored; none of one that is not there. */
    Set<String> ids(String index) {
        Answer found = must(
                "POST",
                "/" + index + "/_search?ignore_unavailable=true",
                "{\"size\":100,\"_source\":false,\"query\":{\"match_all\":{}}}");
        Set<String> ids = new TreeSet<>();
        for (Object hit : (List<?>) found.at("hits.hits")) {
            ids.add((String) Json.at(hit, "_id"));
        }
        return ids;
    }

    /** Waits for a task of the role. */
    Answer await(String task) {
        return must("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=30s", null);
    }

    static void require(Object expected, Answer answer, String path) {
        Object got = answer.at(path);
        if (String.valueOf(expected).equals(String.valueOf(got)) == false) {
            throw new AssertionError("[" + path + "] must be " + expected + ", got: " + answer);
        }
    }

    @Override
    public void close() {
        user.close();
        admin.close();
    }
}
