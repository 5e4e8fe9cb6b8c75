/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** How long a search goes on after its client has closed the connection. */
final class Cancellation {

    private static final int TRIES = 10;
    private static final int LIMIT_MILLIS = 100;
    /** Enough searches in one that it takes seconds if nobody stops it; more clauses a node refuses. */
    private static final int CLAUSES = 1_000;

    private final RestClient client;
    private final Report report;

    Cancellation(RestClient client, Report report) {
        this.client = client;
        this.report = report;
    }

    void run(FingerprintIndex index, Corpus corpus) {
        report.part("Cancellation, " + corpus.spread());
        String body = body(corpus);
        long start = System.nanoTime();
        client.must("POST", "/" + index.name() + "/_search", body);
        double whole = (System.nanoTime() - start) / 1e6;
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < TRIES; i++) {
            millis.add(cancelOne(index.name(), body, (long) (whole / 2 * i / TRIES)));
        }
        double p50 = Measured.percentile(millis, 0.5);
        double max = Measured.percentile(millis, 1);
        report.line("A search of %d clauses at distance 64, %d times.", CLAUSES, TRIES);
        report.bar(
                p50 < LIMIT_MILLIS && p50 < whole / 2,
                corpus.spread() + ", a search whose client is gone stops within 100 ms (p50)",
                "p50 %.0f ms, longest %.0f ms, of %.0f ms left alone",
                p50,
                max,
                whole);
    }

    /**
     * Milliseconds from closing the connection until no task of the search is left.
     *
     * @param after so many milliseconds of the search
     */
    private double cancelOne(String index, String body, long after) {
        URI address = client.address();
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            byte[] content = body.getBytes(StandardCharsets.UTF_8);
            String head = "POST /" + index + "/_search HTTP/1.1\r\nHost: " + address.getAuthority()
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + content.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(content);
            socket.getOutputStream().flush();
            while (running("indices:data/read/search[phase/query]") == false) {
                Thread.onSpinWait();
            }
            Thread.sleep(after);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long closed = System.nanoTime();
        while (running("indices:data/read/search*")) {
            Thread.onSpinWait();
        }
        return (System.nanoTime() - closed) / 1e6;
    }

    private boolean running(String actions) {
        String filter = actions.replace("[", "%5B").replace("]", "%5D");
        var nodes = (Map<?, ?>) client.get("/_tasks?actions=" + filter).at("nodes");
        return nodes.isEmpty() == false;
    }

    private static String body(Corpus corpus) {
        List<Object> clauses = new ArrayList<>();
        for (long query : corpus.queries(CLAUSES, Long.SIZE, 4)) {
            clauses.add(SearchForm.SIMHASH.query(query, Long.SIZE));
        }
        Object any = Map.of("bool", Map.of("should", clauses));
        return Json.write(Map.of("_source", false, "track_total_hits", true, "query", any));
    }
}
