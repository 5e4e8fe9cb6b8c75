/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What looking for near-duplicates costs while indexing: documents per second with {@code simhash} alone and with
 * {@code near_duplicate} behind it, also with a condition on a pair, in turns on one real node, into one index of a million documents. Prints each round, until
 * all is on disk, and the medians; the processor time is the node's.
 *
 * <p>Documents of {@value #WORDS} words of the sample corpus, one in five a copy of another but for its last word; one shard,
 * {@value #CLIENTS} clients on the same machine. Arguments: documents in the index beforehand, rounds.
 */
public final class NearDuplicateThroughput {

    private static final int WORDS = 200;
    private static final int DOCUMENTS = 20_000;
    private static final int BULK = 1_000;
    private static final int CLIENTS = 2;
    private static final int WARM_UP = 2;
    private static final String INDEX = "throughput";

    private enum Way {
        FINGERPRINTS("simhash", "{\"simhash\":{\"field\":\"content\"}}"),
        TAGGED("simhash, near_duplicate", "{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{}}"),
        SAME(
                "simhash, near_duplicate with same",
                "{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{\"same\":[\"tenant\"]}}"),
        FAR(
                "simhash, near_duplicate within 6 bits",
                "{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{\"max_distance\":6}}");

        private final String title;
        private final String processors;

        Way(String title, String processors) {
            this.title = title;
            this.processors = processors;
        }

        String pipeline() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final RestClient client;
    private final SampleIndex sample = new SampleIndex();
    private final Random random = new Random(1);
    private final List<String> words = sample.words("en", "de", "fr", "es");

    private NearDuplicateThroughput(RestClient client) {
        this.client = client;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int indexed = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            var throughput = new NearDuplicateThroughput(cluster.client());
            throughput.fill(indexed);
            throughput.compare(rounds);
        }
    }

    private void fill(int documents) throws InterruptedException, ExecutionException {
        Map<String, Object> properties = new TreeMap<>(properties(sample.mappings()));
        properties.put("tenant", Map.of("type", "keyword"));
        Object mappings = Map.of("properties", properties);
        var settings = Map.of("number_of_shards", 1, "number_of_replicas", 0, "refresh_interval", "30s");
        client.must("PUT", "/" + INDEX, Json.write(Map.of("settings", settings, "mappings", mappings)));
        for (Way way : Way.values()) {
            client.must("PUT", "/_ingest/pipeline/" + way.pipeline(), "{\"processors\":[" + way.processors + "]}");
        }
        int bulk = 5_000;
        System.out.println("filling the index with " + documents + " documents");
        String request = Json.write(Map.of("pipeline", Way.FINGERPRINTS.pipeline(), "text", "any"));
        String scheme = (String)
                client.must("POST", "/_plugins/_simhash/fingerprint", request).at("scheme");
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < documents / bulk; i++) {
                long seed = i;
                answers.add(clients.submit(() -> client.must(
                        "POST",
                        "/" + INDEX + "/_bulk?filter_path=errors",
                        fingerprints(new Random(seed), bulk, scheme))));
            }
            check(answers);
        }
        client.must("POST", "/" + INDEX + "/_refresh", null);
    }

    @SuppressWarnings("unchecked") // from JSON
    private static Map<String, Object> properties(Object mappings) {
        return (Map<String, Object>) ((Map<String, ?>) mappings).get("properties");
    }

    /** As the processor would write them, of no text. */
    private static String fingerprints(Random random, int count, String scheme) {
        var lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            long bits = random.nextLong();
            String hash = HexFormat.of().toHexDigits(bits);
            String digest = HexFormat.of().toHexDigits(random.nextLong())
                    + HexFormat.of().toHexDigits(random.nextLong());
            lines.append("{\"index\":{}}\n{\"simhash\":{\"hash\":\"")
                    .append(hash)
                    .append("\",\"bits\":")
                    .append(bits);
            for (int segment = 0; segment < 4; segment++) {
                lines.append(",\"segment_").append(segment).append("\":\"");
                lines.append(hash, 4 * segment, 4 * segment + 4).append('"');
            }
            lines.append(",\"digest\":\"").append(digest).append("\",\"features\":300");
            lines.append(",\"scheme\":\"").append(scheme).append("\"}}\n");
        }
        return lines.toString();
    }

    private void compare(int count) throws InterruptedException, ExecutionException {
        Map<Way, List<IndexingRound>> rounds = new EnumMap<>(Way.class);
        for (int round = -WARM_UP; round < count; round++) {
            System.out.println(round < 0 ? "warming up" : "round " + (round + 1) + " of " + count);
            for (Way way : Way.values()) {
                IndexingRound result = index(way, bulks());
                result.print(way.title);
                if (round >= 0) {
                    rounds.computeIfAbsent(way, any -> new ArrayList<>()).add(result);
                }
            }
        }
        System.out.println("medians");
        for (Way way : Way.values()) {
            IndexingRound.median(rounds.get(way)).print(way.title);
        }
        print("with / without near_duplicate", rounds.get(Way.TAGGED), rounds.get(Way.FINGERPRINTS));
        print("with / without same", rounds.get(Way.SAME), rounds.get(Way.TAGGED));
    }

    private static void print(String what, List<IndexingRound> with, List<IndexingRound> without) {
        double[] ratios = new double[with.size()];
        double[] cpu = new double[with.size()];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = with.get(round).documentsPerSecond() / without.get(round).documentsPerSecond();
            cpu[round] = with.get(round).cpuMicros() / without.get(round).cpuMicros();
        }
        System.out.printf(
                Locale.ROOT,
                "%s, medians of the rounds: throughput %.3f, processor time %.3f%n",
                what,
                IndexingRound.median(Arrays.stream(ratios)),
                IndexingRound.median(Arrays.stream(cpu)));
    }

    private IndexingRound index(Way way, List<String> bulks) throws InterruptedException, ExecutionException {
        String path = "/" + INDEX + "/_bulk?filter_path=errors&pipeline=" + way.pipeline();
        Duration cpuBefore = NodeClock.cpu(client);
        long start = System.nanoTime();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (String bulk : bulks) {
                answers.add(clients.submit(() -> client.must("POST", path, bulk)));
            }
            check(answers);
        }
        client.must("POST", "/" + INDEX + "/_flush", null);
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuMicros = NodeClock.cpu(client).minus(cpuBefore).toNanos() / 1e3 / DOCUMENTS;
        return new IndexingRound(DOCUMENTS / seconds, cpuMicros);
    }

    private static void check(List<Future<Answer>> answers) throws InterruptedException, ExecutionException {
        for (Future<Answer> answer : answers) {
            if ((boolean) answer.get().at("errors")) {
                throw new IllegalStateException("documents were refused");
            }
        }
    }

    /** Words as often as in the sample, in any order: no two texts are alike. */
    private String text() {
        var text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            text.append(words.get(random.nextInt(words.size()))).append(' ');
        }
        return text.toString().strip();
    }

    /** Made beforehand: the clients only send. */
    private List<String> bulks() {
        List<String> bulks = new ArrayList<>();
        for (int from = 0; from < DOCUMENTS; from += BULK) {
            var lines = new StringBuilder();
            String before = null;
            for (int i = 0; i < BULK; i++) {
                String content = i % 5 == 4 ? before.substring(0, before.lastIndexOf(' ')) : text();
                before = content;
                lines.append("{\"index\":{}}\n");
                lines.append(Json.write(Map.of("content", content, "tenant", "t" + i / 5 % 10))).append('\n');
            }
            bulks.add(lines.toString());
        }
        return bulks;
    }
}
