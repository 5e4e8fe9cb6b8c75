/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Calibration on a real node: documents of 200 words, one of ten an earlier one with up to ten words changed. Prints what it finds, how
 * long it takes, what it leaves on the breakers, how long searches take beside it, and how soon a cancelled one ends.
 *
 * <p>Argument: the number of documents.
 */
public final class CalibrateBenchmark {

    private static final String INDEX = "docs";
    private static final String CALIBRATE = "/_plugins/_simhash/calibrate/" + INDEX;
    private static final int WORDS = 200;
    private static final int BULK = 500;
    private static final int CLIENTS = 2;
    private static final int KEPT = 5_000;
    private static final int SEARCHES = 40;

    private final RestClient client;
    private final int documents;
    private final SampleIndex sample = new SampleIndex();

    private CalibrateBenchmark(RestClient client, int documents) {
        this.client = client;
        this.documents = documents;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            var benchmark = new CalibrateBenchmark(cluster.client(), Integer.parseInt(args[0]));
            benchmark.index();
            benchmark.calibrate("first");
            benchmark.calibrate("second");
            benchmark.searchBeside();
            benchmark.cancel();
        }
    }

    private void index() throws InterruptedException, ExecutionException {
        sample.configure(client);
        long start = System.nanoTime();
        List<String> words = sample.words("en", "de", "fr");
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Answer>> bulks = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int part = i;
                Callable<Answer> fill = () -> fill(words, part);
                bulks.add(clients.submit(fill));
            }
            for (Future<Answer> bulk : bulks) {
                bulk.get();
            }
        }
        client.must("POST", "/" + INDEX + "/_refresh", null);
        System.out.printf(Locale.ROOT, "%,d documents indexed in %.0f s%n", documents, seconds(start));
    }

    private Answer fill(List<String> words, int part) {
        Random random = new Random(part);
        List<String> kept = new ArrayList<>();
        Answer answer = null;
        for (int from = 0; from < documents / CLIENTS; from += BULK) {
            var bulk = new StringBuilder();
            for (int i = 0; i < BULK; i++) {
                String text = kept.isEmpty() == false && random.nextInt(10) == 0
                        ? edited(kept.get(random.nextInt(kept.size())), words, random)
                        : text(words, random);
                if (kept.size() < KEPT) {
                    kept.add(text);
                } else {
                    kept.set(random.nextInt(KEPT), text);
                }
                bulk.append("{\"index\":{}}\n{\"content\":\"").append(text).append("\"}\n");
            }
            answer = client.must("POST", "/" + INDEX + "/_bulk?filter_path=errors", bulk.toString());
        }
        return answer;
    }

    /** The words of the sample, as often as there. */
    private static String text(List<String> words, Random random) {
        List<String> chosen = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            chosen.add(word(words, random));
        }
        return String.join(" ", chosen);
    }

    private static String word(List<String> words, Random random) {
        return words.get(random.nextInt(words.size())).replaceAll("[^\\p{L}\\p{N}]", "");
    }

    private static String edited(String text, List<String> words, Random random) {
        String[] parts = text.split(" ", -1);
        for (int i = random.nextInt(11); i > 0; i--) {
            parts[random.nextInt(parts.length)] = word(words, random);
        }
        return String.join(" ", parts);
    }

    private void calibrate(String which) {
        Answer answer = client.must("POST", CALIBRATE, "{}");
        System.out.printf(
                Locale.ROOT,
                "%s: %.1f s, %,d of %,d documents, %,d fingerprints and %,d texts compared; request breaker after it: %,d bytes%n",
                which,
                answer.number("took") / 1e3,
                answer.number("sampled"),
                answer.number("fingerprinted"),
                answer.number("fingerprints_compared"),
                answer.number("texts_compared"),
                breaker());
        System.out.println("  " + answer.at("suggestion.why"));
        for (Object row : (List<?>) answer.at("distances")) {
            System.out.printf(
                    Locale.ROOT,
                    "  %2s bits: pairs %s (%s to %s), near %s, recall %s%n",
                    Json.at(row, "distance"),
                    Json.at(row, "pairs"),
                    Json.at(row, "pairs_low"),
                    Json.at(row, "pairs_high"),
                    Json.at(row, "near"),
                    Json.at(row, "recall"));
        }
    }

    private long breaker() {
        Answer stats = client.must("GET", "/_nodes/_local/stats/breaker", null);
        Object node = ((Map<?, ?>) stats.at("nodes")).values().iterator().next();
        return ((Number) Json.at(node, "breakers.request.estimated_size_in_bytes")).longValue();
    }

    private void searchBeside() {
        double alone = searchMillis();
        String task = start();
        double beside = searchMillis();
        client.must("POST", "/_tasks/" + task + "/_cancel?wait_for_completion=true", null);
        System.out.printf(Locale.ROOT, "a search alone %.1f ms, beside a calibration %.1f ms%n", alone, beside);
    }

    private double searchMillis() {
        long start = System.nanoTime();
        for (int i = 0; i < SEARCHES; i++) {
            client.must(
                    "POST",
                    "/" + INDEX + "/_search",
                    "{\"query\":{\"match\":{\"content\":\"website" + i + " content\"}}}");
        }
        return 1e3 * seconds(start) / SEARCHES;
    }

    private String start() {
        return client.must("POST", CALIBRATE + "?wait_for_completion=false", "{}")
                .string("task");
    }

    private void cancel() throws InterruptedException {
        for (int millis : new int[] {100, 500, 1_500, 3_000}) {
            String task = start();
            Thread.sleep(millis);
            String phase = client.must("GET", "/_tasks/" + task, null).string("task.status.phase");
            long start = System.nanoTime();
            client.must("POST", "/_tasks/" + task + "/_cancel?wait_for_completion=true", null);
            System.out.printf(
                    Locale.ROOT,
                    "cancelled after %d ms, in %s: gone after %.0f ms, request breaker %,d bytes%n",
                    millis,
                    phase,
                    1e3 * seconds(start),
                    breaker());
        }
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
