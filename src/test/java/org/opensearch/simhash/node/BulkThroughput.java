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
import java.util.stream.DoubleStream;

/**
 * What fingerprints cost while indexing: documents per second through the pipeline and without it, in turns on one real node,
 * so that whatever else the machine does hits both. Prints each round, the medians and their ratio.
 *
 * <p>Documents of {@value #WORDS} words of the sample corpus, one shard, {@value #CLIENTS} clients on the same machine.
 */
public final class BulkThroughput {

    private static final int WORDS = 200;
    private static final int DOCUMENTS = 20_000;
    private static final int BULK = 500;
    private static final int CLIENTS = 2;
    private static final int WARM_UP = 2;
    private static final int ROUNDS = 7;

    private final RestClient client;
    private final List<String> bulks;

    private BulkThroughput(RestClient client, List<String> bulks) {
        this.client = client;
        this.bulks = bulks;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            new SampleIndex().configure(cluster.client());
            new BulkThroughput(cluster.client(), bulks()).compare();
        }
    }

    private void compare() throws InterruptedException, ExecutionException {
        List<Round> without = new ArrayList<>();
        List<Round> with = new ArrayList<>();
        System.out.println("                documents/s             processor time of the node, us/document");
        System.out.println("                without      with       without      with pipeline");
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            Round plain = index("_none");
            Round fingerprinted = index(SampleIndex.PIPELINE);
            print(round < 0 ? "warming up" : "round " + (round + 1), plain, fingerprinted);
            if (round >= 0) {
                without.add(plain);
                with.add(fingerprinted);
            }
        }
        Round plain = Round.median(without);
        Round fingerprinted = Round.median(with);
        print("median", plain, fingerprinted);
        System.out.printf(
                Locale.ROOT,
                "throughput with / without: %.2f%n",
                fingerprinted.documentsPerSecond / plain.documentsPerSecond);
    }

    private static void print(String name, Round without, Round with) {
        System.out.printf(
                Locale.ROOT,
                "%-12s %10.0f %9.0f    %10.0f %9.0f%n",
                name,
                without.documentsPerSecond,
                with.documentsPerSecond,
                without.cpuMicros,
                with.cpuMicros);
    }

    private record Round(double documentsPerSecond, double cpuMicros) {

        static Round median(List<Round> rounds) {
            return new Round(
                    BulkThroughput.median(rounds.stream().mapToDouble(Round::documentsPerSecond)),
                    BulkThroughput.median(rounds.stream().mapToDouble(Round::cpuMicros)));
        }
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private Round index(String pipeline) throws InterruptedException, ExecutionException {
        String settings = "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0,\"refresh_interval\":-1}}";
        client.must("PUT", "/docs-throughput", settings);
        String path = "/docs-throughput/_bulk?filter_path=errors&pipeline=" + pipeline;
        long cpuBefore = cpuMillis();
        long start = System.nanoTime();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (String bulk : bulks) {
                answers.add(clients.submit(() -> client.must("POST", path, bulk)));
            }
            for (Future<Answer> answer : answers) {
                if ((boolean) answer.get().at("errors")) {
                    throw new IllegalStateException("documents were refused");
                }
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuMicros = (cpuMillis() - cpuBefore) * 1000.0 / DOCUMENTS;
        client.must("DELETE", "/docs-throughput", null);
        return new Round(DOCUMENTS / seconds, cpuMicros);
    }

    private long cpuMillis() {
        var nodes = (Map<?, ?>) client.get("/_nodes/stats/process").at("nodes");
        Object only = nodes.values().iterator().next();
        return ((Number) Json.at(only, "process.cpu.total_in_millis")).longValue();
    }

    /** Made beforehand: the clients only send. */
    private static List<String> bulks() {
        List<String> words = new SampleIndex()
                .documents().values().stream()
                        .filter(document -> List.of("en", "de", "fr", "es").contains(document.get("language")))
                        .flatMap(document -> Arrays.stream(((String) document.get("content")).split("\\s+", -1)))
                        .toList();
        var random = new Random(1);
        List<String> bulks = new ArrayList<>();
        for (int from = 0; from < DOCUMENTS; from += BULK) {
            var lines = new StringBuilder();
            for (int i = 0; i < BULK; i++) {
                int start = random.nextInt(words.size() - WORDS);
                String content = String.join(" ", words.subList(start, start + WORDS));
                lines.append("{\"index\":{}}\n");
                lines.append(Json.write(Map.of("content", content))).append('\n');
            }
            bulks.add(lines.toString());
        }
        return bulks;
    }
}
