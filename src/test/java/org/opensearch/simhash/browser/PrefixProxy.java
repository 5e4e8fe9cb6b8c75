/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node below a path, as behind a proxy. Notes what is asked for beside that path. */
final class PrefixProxy implements AutoCloseable {

    static final String PREFIX = "/search/engine";

    private final HttpServer server;
    private final HttpClient http =
            HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
    private final URI node;
    private final List<String> outside = new CopyOnWriteArrayList<>();

    PrefixProxy(URI node) throws IOException {
        this.node = node;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + PREFIX;
    }

    /** Paths that no page below the prefix may ask for. */
    List<String> outside() {
        return outside.stream()
                .filter(path -> path.equals("/favicon.ico") == false)
                .toList();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        if (path.startsWith(PREFIX + "/") == false) {
            outside.add(path);
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(node + path.substring(PREFIX.length())));
        if (body.length > 0) {
            request.header("content-type", "application/json");
        }
        request.method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        try {
            HttpResponse<byte[]> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            for (String header : List.of("content-type", "content-security-policy")) {
                answer.headers()
                        .firstValue(header)
                        .ifPresent(value -> exchange.getResponseHeaders().set(header, value));
            }
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
            exchange.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        http.shutdownNow();
    }
}
