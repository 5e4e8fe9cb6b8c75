/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * Searches per second when {@value #CLIENTS} clients send {@code _msearch}: ours, the recipe and searches for nothing, in
 * turns of a round each. The node's processor time is told too: other work on the machine changes it less.
 */
final class SearchThroughput {

    private static final int CLIENTS = 8;
    private static final int DISTANCE = 3;
    private static final int SEARCHES_PER_REQUEST = 50;
    private static final int REQUESTS = 80;
    private static final int SEARCHES = REQUESTS * SEARCHES_PER_REQUEST;
    private static final int WARM_UP = 5;
    private static final int ROUNDS = 11;
    private static final double WANTED = 2;
    private static final List<SearchForm> FORMS = List.of(SearchForm.NOTHING, SearchForm.SIMHASH, SearchForm.RECIPE);

    private final RestClient client;
    private final Report report;

    SearchThroughput(RestClient client, Report report) {
        this.client = client;
        this.report = report;
    }

    private record Round(double searchesPerSecond, double cpuMicros) {}

    void run(FingerprintIndex index, Corpus corpus) {
        report.part("_msearch by " + CLIENTS + " clients at distance " + DISTANCE + ", " + corpus.spread());
        report.table("search", "rounds", "searches/s p50", "lowest", "highest", "node's processor time, us/search p50");
        Map<SearchForm, List<Round>> rounds = new EnumMap<>(SearchForm.class);
        FORMS.forEach(form -> rounds.put(form, new ArrayList<>()));
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            long[] queries = corpus.queries(SEARCHES, DISTANCE, 10 + i);
            for (SearchForm form : FORMS) {
                Round round = round(form, index, queries);
                if (i >= 0) {
                    rounds.get(form).add(round);
                }
            }
        }
        FORMS.forEach(form -> report.line(
                "| %s | %d | %.0f | %.0f | %.0f | %.0f |",
                form,
                ROUNDS,
                rate(rounds.get(form), 0.5),
                rate(rounds.get(form), 0),
                rate(rounds.get(form), 1),
                cpu(rounds.get(form))));
        double ours = rate(rounds.get(SearchForm.SIMHASH), 0.5);
        double recipe = rate(rounds.get(SearchForm.RECIPE), 0.5);
        report.bar(
                ours >= WANTED * recipe,
                corpus.spread() + ", distance " + DISTANCE + ", _msearch at least 2x the recipe's searches/s",
                "%.2fx (%.0f : %.0f), %.2fx by processor time",
                ours / recipe,
                ours,
                recipe,
                cpu(rounds.get(SearchForm.RECIPE)) / cpu(rounds.get(SearchForm.SIMHASH)));
    }

    private static double rate(List<Round> rounds, double share) {
        return Measured.percentile(rounds.stream().map(Round::searchesPerSecond).toList(), share);
    }

    private static double cpu(List<Round> rounds) {
        return Measured.percentile(rounds.stream().map(Round::cpuMicros).toList(), 0.5);
    }

    private Round round(SearchForm form, FingerprintIndex index, long[] queries) {
        List<String> requests = new ArrayList<>();
        for (int first = 0; first < SEARCHES; first += SEARCHES_PER_REQUEST) {
            var lines = new StringBuilder();
            for (int i = first; i < first + SEARCHES_PER_REQUEST; i++) {
                lines.append("{}\n").append(form.body(queries[i], DISTANCE)).append('\n');
            }
            requests.add(lines.toString());
        }
        String path = "/" + index.name() + "/_msearch?filter_path=responses.status";
        Duration cpuBefore = nodeCpu();
        long start = System.nanoTime();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (String request : requests) {
                answers.add(clients.submit(
                        () -> answered(client.must("POST", path, request).text())));
            }
            for (Future<Integer> answer : answers) {
                if (answer.get() != SEARCHES_PER_REQUEST) {
                    throw new IllegalStateException("searches failed: " + form);
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Round(SEARCHES / seconds, nodeCpu().minus(cpuBefore).toNanos() / 1e3 / SEARCHES);
    }

    private static int answered(String text) {
        return text.split("\"status\":200", -1).length - 1;
    }

    /** From the operating system: the node itself looks once a second only. */
    private Duration nodeCpu() {
        var nodes = (Map<?, ?>) client.get("/_nodes/process").at("nodes");
        Object only = nodes.values().iterator().next();
        long process = ((Number) Json.at(only, "process.id")).longValue();
        return ProcessHandle.of(process)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElseThrow();
    }
}
