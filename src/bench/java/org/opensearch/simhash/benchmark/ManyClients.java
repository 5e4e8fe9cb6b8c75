/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** The most expensive search there is, everything within 64 bits and counted, from {@value #CLIENTS} clients at once. */
final class ManyClients {

    private static final int CLIENTS = 64;
    private static final int ROUNDS = 4;

    private final RestClient client;
    private final Report report;

    ManyClients(RestClient client, Report report) {
        this.client = client;
        this.report = report;
    }

    void run(FingerprintIndex index, Corpus corpus) {
        report.part("Distance 64 by " + CLIENTS + " clients at once, " + corpus.spread());
        Map<?, ?> before = node("breaker");
        long[] queries = corpus.queries(CLIENTS * ROUNDS, Long.SIZE, 3);
        var measured = new Measured();
        int right = 0;
        long peak = 0;
        long start = System.nanoTime();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (long query : queries) {
                answers.add(clients.submit(() -> client.send("POST", "/" + index.name() + "/_search", body(query))));
            }
            while (answers.stream().allMatch(Future::isDone) == false) {
                peak = Math.max(peak, ((Number) Json.at(node("jvm"), "jvm.mem.heap_used_in_bytes")).longValue());
            }
            for (Future<Answer> answer : answers) {
                if (answer.get().ok() && answer.get().number("hits.total.value") == corpus.size()) {
                    measured.add(answer.get(), 0);
                    right++;
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long tripped = tripped(node("breaker")) - tripped(before);
        long max = ((Number) Json.at(node("jvm"), "jvm.mem.heap_max_in_bytes")).longValue();
        report.line(
                "%d searches in %.1f s, took p50 %.0f ms, p95 %.0f ms.",
                queries.length, seconds, measured.tookP50(), measured.tookP95());
        report.bar(
                right == queries.length && tripped == 0,
                corpus.spread() + ", distance 64 by 64 clients at once: all answered, memory bounded",
                "%d of %d, %d breakers tripped, heap at most %d of %d MB",
                right,
                queries.length,
                tripped,
                peak >> 20,
                max >> 20);
    }

    private static String body(long query) {
        Object everything = SearchForm.SIMHASH.query(query, Long.SIZE);
        return Json.write(Map.of("_source", false, "track_total_hits", true, "query", everything));
    }

    private Map<?, ?> node(String statistics) {
        var nodes = (Map<?, ?>) client.get("/_nodes/stats/" + statistics).at("nodes");
        return (Map<?, ?>) nodes.values().iterator().next();
    }

    private static long tripped(Map<?, ?> node) {
        return ((Map<?, ?>) node.get("breakers"))
                .values().stream()
                        .mapToLong(breaker -> ((Number) Json.at(breaker, "tripped")).longValue())
                        .sum();
    }
}
