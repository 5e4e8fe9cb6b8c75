/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.NodeClock;
import org.opensearch.simhash.node.RestClient;

/**
 * Searches per second when {@value #CLIENTS} clients send {@code _msearch}: ours, the recipe, and what any search costs at
 * least: one for nothing, and a term query that finds as many documents as ours. In turns of a round each. The node's
 * processor time is told too: other work on the machine changes it less.
 */
final class SearchThroughput {

    private static final int CLIENTS = 8;
    private static final int DISTANCE = 3;
    private static final int SEARCHES_PER_REQUEST = 20;
    /** At most, in a round. */
    private static final int SEARCHES = 20_000;

    private static final long ROUND_NANOS = 2_000_000_000L;
    private static final int WARM_UP = 3;
    private static final int ROUNDS = 9;
    private static final double WANTED = 2;
    private static final List<SearchForm> FORMS =
            List.of(SearchForm.NOTHING, SearchForm.TERM, SearchForm.SIMHASH, SearchForm.RECIPE);

    private final RestClient client;
    private final Report report;

    SearchThroughput(RestClient client, Report report) {
        this.client = client;
        this.report = report;
    }

    private record Round(double searchesPerSecond, double cpuMicros) {}

    void run(FingerprintIndex index, Corpus corpus) {
        report.part("_msearch by " + CLIENTS + " clients at distance " + DISTANCE + ", " + corpus.spread());
        report.table(
                "search, " + ROUNDS + " rounds",
                "searches/s p50",
                "lowest",
                "highest",
                "node's processor time, us/search p50");
        Map<SearchForm, List<Round>> rounds = new EnumMap<>(SearchForm.class);
        FORMS.forEach(form -> rounds.put(form, new ArrayList<>()));
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            for (SearchForm form : FORMS) {
                // Half of the searches have a document to find, one with the same fingerprint where others are not
                // found.
                int distance = form == SearchForm.TERM ? 0 : DISTANCE;
                Round round = round(form, index, corpus.queries(SEARCHES, distance, 10 + i));
                if (i >= 0) {
                    rounds.get(form).add(round);
                }
            }
        }
        FORMS.forEach(form -> report.line(
                "| %s | %.0f | %.0f | %.0f | %.0f |",
                form,
                rate(rounds.get(form), 0.5),
                rate(rounds.get(form), 0),
                rate(rounds.get(form), 1),
                cpu(rounds.get(form))));
        double ours = rate(rounds.get(SearchForm.SIMHASH), 0.5);
        double recipe = rate(rounds.get(SearchForm.RECIPE), 0.5);
        report.bar(
                ours >= WANTED * recipe,
                corpus.spread() + ", distance " + DISTANCE + ", _msearch at least 2x the recipe's searches/s",
                "%.2fx (%.0f : %.0f), %.2fx by processor time; a term query %.2fx, %.2fx by processor time",
                ours / recipe,
                ours,
                recipe,
                cpu(rounds.get(SearchForm.RECIPE)) / cpu(rounds.get(SearchForm.SIMHASH)),
                rate(rounds.get(SearchForm.TERM), 0.5) / recipe,
                cpu(rounds.get(SearchForm.RECIPE)) / cpu(rounds.get(SearchForm.TERM)));
    }

    private static double rate(List<Round> rounds, double share) {
        return Measured.percentile(rounds.stream().map(Round::searchesPerSecond).toList(), share);
    }

    private static double cpu(List<Round> rounds) {
        return Measured.percentile(rounds.stream().map(Round::cpuMicros).toList(), 0.5);
    }

    /** Sends requests until the time is up, or there are no more: none is sent twice, no cache can answer it. */
    private Round round(SearchForm form, FingerprintIndex index, long[] queries) {
        Queue<String> requests = requests(form, queries);
        String path = "/" + index.name() + "/_msearch?filter_path=responses.status";
        Duration cpuBefore = NodeClock.cpu(client);
        long start = System.nanoTime();
        long end = start + ROUND_NANOS;
        int searches = 0;
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            Callable<Integer> sender = () -> {
                int answered = 0;
                String request = requests.poll();
                while (request != null && System.nanoTime() < end) {
                    answered += answered(client.must("POST", path, request));
                    request = requests.poll();
                }
                return answered;
            };
            for (Future<Integer> answered : clients.invokeAll(Collections.nCopies(CLIENTS, sender))) {
                searches += answered.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Round(
                searches / seconds, NodeClock.cpu(client).minus(cpuBefore).toNanos() / 1e3 / searches);
    }

    private static Queue<String> requests(SearchForm form, long[] queries) {
        Queue<String> requests = new ConcurrentLinkedQueue<>();
        for (int first = 0; first < queries.length; first += SEARCHES_PER_REQUEST) {
            var lines = new StringBuilder();
            for (int i = first; i < first + SEARCHES_PER_REQUEST; i++) {
                lines.append("{}\n").append(form.body(queries[i], DISTANCE)).append('\n');
            }
            requests.add(lines.toString());
        }
        return requests;
    }

    /** All of a request's, or the measurement is void. */
    private static int answered(Answer answer) {
        int answered = answer.text().split("\"status\":200", -1).length - 1;
        if (answered != SEARCHES_PER_REQUEST) {
            throw new IllegalStateException("searches failed: " + answer.text());
        }
        return answered;
    }
}
