/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What {@code collapse_near_duplicates} costs: searches of 10 hits with it (oversample 3), and the same searches of 30 hits
 * without, in turns on one real node, so that whatever else the machine does hits both. Prints medians and their ratio, by the
 * client's clock, of each round and of all.
 *
 * <p>Documents of {@value #WORDS} words of the sample corpus, every third an edited copy of an earlier one, one shard; their
 * number is the first argument, 1,000,000 without. Each search has two words of the corpus.
 */
public final class CollapseOverhead {

    private static final String INDEX = "docs-overhead";
    private static final int WORDS = 40;
    private static final int BULK = 2_000;
    private static final int CLIENTS = 2;
    private static final int WARM_UP = 3;
    private static final int ROUNDS = 10;
    private static final int SEARCHES = 300;

    private final RestClient client;
    private final Random random = new Random(30);
    private final List<String> words = new SampleIndex().words("en", "de", "fr", "es");

    private CollapseOverhead(RestClient client) {
        this.client = client;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int documents = args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]);
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            new SampleIndex().configure(cluster.client());
            var overhead = new CollapseOverhead(cluster.client());
            overhead.index(documents);
            overhead.compare();
        }
    }

    private void index(int documents) throws InterruptedException, ExecutionException {
        client.must(
                "PUT",
                "/" + INDEX,
                "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0,\"refresh_interval\":-1}}");
        List<String> recent = new ArrayList<>();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int from = 0; from < documents; from += CLIENTS * BULK) {
                List<Future<Answer>> answers = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String bulk = bulk(recent);
                    answers.add(
                            clients.submit(() -> client.must("POST", "/" + INDEX + "/_bulk?filter_path=errors", bulk)));
                }
                for (Future<Answer> answer : answers) {
                    if ((boolean) answer.get().at("errors")) {
                        throw new IllegalStateException("documents were refused");
                    }
                }
            }
        }
        client.must("POST", "/" + INDEX + "/_forcemerge?max_num_segments=5", null);
        client.must("POST", "/" + INDEX + "/_refresh", null);
        Answer count = client.must("GET", "/" + INDEX + "/_count", null);
        System.out.println(count.number("count") + " documents");
    }

    private String bulk(List<String> recent) {
        var lines = new StringBuilder();
        for (int i = 0; i < BULK; i++) {
            String content;
            if (i % 3 == 2) {
                String original = recent.get(random.nextInt(recent.size()));
                content = original.substring(original.indexOf(' ') + 1) + " edited";
            } else {
                int start = random.nextInt(words.size() - WORDS);
                content = String.join(" ", words.subList(start, start + WORDS));
            }
            recent.add(content);
            lines.append("{\"index\":{}}\n");
            lines.append(Json.write(Map.of("content", content))).append('\n');
        }
        if (recent.size() > 10 * BULK) {
            recent.subList(0, BULK).clear();
        }
        return lines.toString();
    }

    private void compare() {
        var processor = List.of(Map.of("collapse_near_duplicates", Map.of("max_distance", 10, "oversample", 3)));
        var pipeline = Map.of("request_processors", processor, "response_processors", processor);
        client.must("PUT", "/_search/pipeline/distinct", Json.write(pipeline));
        List<Double> allPlain = new ArrayList<>();
        List<Double> allCollapsed = new ArrayList<>();
        System.out.println("milliseconds   size 30, plain   size 10, collapsed   ratio");
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            double[] plain = new double[SEARCHES];
            double[] collapsed = new double[SEARCHES];
            for (int i = 0; i < SEARCHES; i++) {
                String text = words.get(random.nextInt(words.size())) + " " + words.get(random.nextInt(words.size()));
                Map<String, ?> query = Map.of("match", Map.of("content", text));
                String thirty = Json.write(Map.of("query", query, "size", 30));
                String ten = Json.write(Map.of("query", query, "size", 10, "search_pipeline", "distinct"));
                // The first of the two warms the caches for the other.
                if (i % 2 == 0) {
                    plain[i] = milliseconds(thirty);
                    collapsed[i] = milliseconds(ten);
                } else {
                    collapsed[i] = milliseconds(ten);
                    plain[i] = milliseconds(thirty);
                }
            }
            print(round < 0 ? "warming up" : "round " + (round + 1), plain, collapsed);
            if (round >= 0) {
                Arrays.stream(plain).forEach(allPlain::add);
                Arrays.stream(collapsed).forEach(allCollapsed::add);
            }
        }
        print("all", array(allPlain), array(allCollapsed));
    }

    private double milliseconds(String search) {
        long start = System.nanoTime();
        client.must("POST", "/" + INDEX + "/_search", search);
        return (System.nanoTime() - start) / 1e6;
    }

    private static void print(String round, double[] plain, double[] collapsed) {
        System.out.printf(
                Locale.ROOT,
                "%-12s %16.2f %20.2f %7.2f%n",
                round,
                median(plain),
                median(collapsed),
                median(collapsed) / median(plain));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
