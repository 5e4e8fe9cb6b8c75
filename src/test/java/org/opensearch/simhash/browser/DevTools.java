/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.simhash.node.Json;

/** A connection to a browser, or to a page of it, by the Chrome DevTools Protocol: calls with answers, and events. Thread-safe. */
final class DevTools implements AutoCloseable, WebSocket.Listener {

    private static final int PATIENCE_SECONDS = 120;

    private final URI address;
    private final HttpClient http =
            HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<?, ?>>> waiting = new ConcurrentHashMap<>();
    private final List<Map<?, ?>> events = new CopyOnWriteArrayList<>();
    private final StringBuilder received = new StringBuilder();
    private WebSocket socket;

    private DevTools(URI address) {
        this.address = address;
    }

    static DevTools connect(URI address) {
        DevTools connection = new DevTools(address);
        connection.socket = connection
                .http
                .newWebSocketBuilder()
                .buildAsync(address, connection)
                .join();
        return connection;
    }

    URI address() {
        return address;
    }

    /**
     * Waits for the result.
     *
     * @throws IllegalStateException when the browser refuses it
     */
    Map<?, ?> call(String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<Map<?, ?>> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        String message = Json.write(Map.of("id", id, "method", method, "params", parameters));
        synchronized (this) {
            socket.sendText(message, true).join();
        }
        try {
            Map<?, ?> found = answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (found.get("error") != null) {
                throw new IllegalStateException(method + ": " + found.get("error"));
            }
            return (Map<?, ?>) found.get("result");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(method + " " + parameters, e);
        }
    }

    /** Those of a name that have come so far. */
    List<Map<?, ?>> events(String method) {
        return events.stream()
                .filter(event -> method.equals(event.get("method")))
                .toList();
    }

    void forgetEvents() {
        events.clear();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
        received.append(data);
        if (isLast) {
            Map<?, ?> message = (Map<?, ?>) Json.parse(received.toString());
            received.setLength(0);
            if (message.get("id") instanceof Number id) {
                waiting.remove(id.intValue()).complete(message);
            } else {
                events.add(message);
            }
        }
        from.request(1);
        return null;
    }

    @Override
    public void close() {
        socket.abort();
        http.shutdownNow();
    }
}
