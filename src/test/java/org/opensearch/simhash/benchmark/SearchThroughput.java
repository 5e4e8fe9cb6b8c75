/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.opensearch.simhash.node.RestClient;

/** Searches per second when {@value #CLIENTS} clients send {@code _msearch}, ours and the recipe in turns of a round each. */
final class SearchThroughput {

    private static final int CLIENTS = 8;
    private static final int DISTANCE = 3;
    private static final int SEARCHES_PER_REQUEST = 50;
    private static final int REQUESTS = 80;
    private static final int WARM_UP = 2;
    private static final int ROUNDS = 7;
    private static final double WANTED = 2;
    private static final List<SearchForm> FORMS = List.of(SearchForm.SIMHASH, SearchForm.RECIPE);

    private final RestClient client;
    private final Report report;

    SearchThroughput(RestClient client, Report report) {
        this.client = client;
        this.report = report;
    }

    void run(FingerprintIndex index, Corpus corpus) {
        report.part("_msearch by " + CLIENTS + " clients at distance " + DISTANCE + ", " + corpus.spread());
        report.table("round", FORMS.get(0) + " searches/s", FORMS.get(1) + " searches/s");
        Map<SearchForm, List<Double>> rates = new EnumMap<>(SearchForm.class);
        FORMS.forEach(form -> rates.put(form, new ArrayList<>()));
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long[] queries = corpus.queries(REQUESTS * SEARCHES_PER_REQUEST, DISTANCE, 10 + round);
            double ours = rate(SearchForm.SIMHASH, index, queries);
            double recipe = rate(SearchForm.RECIPE, index, queries);
            if (round >= 0) {
                rates.get(SearchForm.SIMHASH).add(ours);
                rates.get(SearchForm.RECIPE).add(recipe);
                report.line("| %d | %.0f | %.0f |", round + 1, ours, recipe);
            }
        }
        double ours = Measured.percentile(rates.get(SearchForm.SIMHASH), 0.5);
        double recipe = Measured.percentile(rates.get(SearchForm.RECIPE), 0.5);
        report.line("| median | %.0f | %.0f |", ours, recipe);
        report.bar(
                ours >= WANTED * recipe,
                corpus.spread() + ", distance " + DISTANCE + ", _msearch at least 2x the recipe's searches/s",
                "%.2fx (%.0f : %.0f)",
                ours / recipe,
                ours,
                recipe);
    }

    private double rate(SearchForm form, FingerprintIndex index, long[] queries) {
        List<String> requests = new ArrayList<>();
        for (int request = 0; request < REQUESTS; request++) {
            var lines = new StringBuilder();
            for (int i = 0; i < SEARCHES_PER_REQUEST; i++) {
                long query = queries[request * SEARCHES_PER_REQUEST + i];
                lines.append("{}\n").append(form.body(query, DISTANCE)).append('\n');
            }
            requests.add(lines.toString());
        }
        String path = "/" + index.name() + "/_msearch?filter_path=responses.status";
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
        return queries.length / ((System.nanoTime() - start) / 1e9);
    }

    private static int answered(String text) {
        return text.split("\"status\":200", -1).length - 1;
    }
}
