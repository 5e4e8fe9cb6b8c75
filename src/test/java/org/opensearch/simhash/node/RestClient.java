/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Sends requests to one node, as {@code curl} would. Safe for use by several threads. */
public final class RestClient implements AutoCloseable {

    private static final Pattern WARNING = Pattern.compile("^299 \\S+ \"(.*)\"$");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    // No proxy, whatever this JVM was told: the nodes are on this machine.
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();
    private final URI address;
    private final Map<String, String> headers;

    /** @param address scheme, host and port, for example {@code http://127.0.0.1:9200} */
    public RestClient(URI address) {
        this(address, Map.of());
    }

    /** @param headers of each request */
    public RestClient(URI address, Map<String, String> headers) {
        this.address = address;
        this.headers = Map.copyOf(headers);
    }

    public URI address() {
        return address;
    }

    /** Any status is an answer; only a node that does not answer is an exception. */
    public Answer send(String method, String path, String body) {
        boolean lines = path.contains("_bulk") || path.contains("_msearch");
        var request = HttpRequest.newBuilder(address.resolve(path))
                .timeout(PATIENCE)
                .header("content-type", lines ? "application/x-ndjson" : "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        headers.forEach(request::header);
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    response.body(),
                    response.headers().allValues("warning").stream()
                            .map(header -> WARNING.matcher(header).replaceFirst("$1"))
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during " + method + " " + path, e);
        }
    }

    public Answer get(String path) {
        return send("GET", path, null);
    }

    /**
     * Sends a request that has to succeed.
     *
     * @throws IllegalStateException with the node's answer when the status is not 2xx
     */
    public Answer must(String method, String path, String body) {
        Answer answer = send(method, path, body);
        if (answer.ok() == false) {
            throw new IllegalStateException(method + " " + path + ": HTTP " + answer.status() + " " + answer.text());
        }
        return answer;
    }

    /** The answer of {@code _tasks} when a task has ended, however long that takes. */
    public Answer await(String task) {
        Answer status = must("GET", "/_tasks/" + task, null);
        while ((boolean) status.at("completed") == false) {
            send("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=60s", null);
            status = must("GET", "/_tasks/" + task, null);
        }
        return status;
    }

    @Override
    public void close() {
        http.close();
    }
}
