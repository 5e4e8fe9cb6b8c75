/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What fingerprints cost while indexing: documents per second through the pipeline and without it, in turns on one real node,
 * every other round in the opposite order, so that whatever else the machine does hits both. Two ways between the two tell where
 * the difference comes from. Prints each round, until all is on disk, the medians, and the ratio of each round by itself, which what
 * else the machine does changes least; the processor time is the node's.
 *
 * <p>Documents of {@value #WORDS} words of the sample corpus, one shard, {@value #CLIENTS} clients on the same machine. With the
 * argument {@code articles} they have what an article has beside its words: an id, a title, an address, a date, a language. With
 * {@code groups} it compares {@code near_duplicate} without and with ids of groups, and prints the bytes of an index that is merged
 * into one segment; with {@code groups again} each document is written over one that has a group. With {@code passages} it compares
 * {@code simhash} without and with {@code passages}. With {@code deletes} it compares articles without and with as many deletes of
 * earlier ones in their bulks, and counts the writes. {@code -Ddocuments=} and {@code -Drounds=} change how many there are.
 */
public final class BulkThroughput {

    private static final int WORDS = 200;
    private static final int DOCUMENTS = Integer.getInteger("documents", 40_000);
    private static final int BULK = 500;
    private static final int CLIENTS = 2;
    private static final int WARM_UP = 2;
    private static final int ROUNDS = Integer.getInteger("rounds", 15);

    private enum Way {
        WITHOUT("without pipeline", "_none", "{}"),
        EMPTY("pipeline that sets a field", "set-a-field", "{}"),
        STORED(
                "fingerprints, fields not indexed",
                SampleIndex.PIPELINE,
                "{\"properties\":{\"simhash\":{\"enabled\":false}}}"),
        WITH("fingerprints", SampleIndex.PIPELINE, null),
        DELETES("fingerprints, and as many deletes", SampleIndex.PIPELINE, null),
        PASSAGES("fingerprints and passages", "with-passages", null),
        NO_GROUPS("near_duplicate", "without-groups", null),
        GROUPS("near_duplicate with groups", "with-groups", null);

        private final String title;
        private final String pipeline;
        private final String mappings;

        /** @param mappings null for those of the template */
        Way(String title, String pipeline, String mappings) {
            this.title = title;
            this.pipeline = pipeline;
            this.mappings = mappings;
        }
    }

    private final RestClient client;
    private final SampleIndex sample = new SampleIndex();
    private final List<String> bulks;

    private final List<Way> ways;

    /** Whether documents are written again, and only that is measured. */
    private final boolean again;

    private BulkThroughput(RestClient client, List<String> arguments) {
        this.client = client;
        boolean groups = arguments.contains("groups");
        this.again = arguments.contains("again");
        this.ways = groups
                ? List.of(Way.NO_GROUPS, Way.GROUPS)
                : arguments.contains("passages")
                        ? List.of(Way.WITH, Way.PASSAGES)
                        : arguments.contains("deletes")
                                ? List.of(Way.WITH, Way.DELETES)
                                : List.of(Way.WITHOUT, Way.EMPTY, Way.STORED, Way.WITH);
        this.bulks = bulks(again || arguments.contains("articles") || arguments.contains("deletes"));
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        List<String> arguments = List.of(args);
        if (List.of(List.of(), List.of("articles"), List.of("groups"), List.of("groups", "again"), List.of("passages"), List.of("deletes"))
                        .contains(arguments)
                == false) {
            throw new IllegalArgumentException("arguments are [articles], [groups], [groups again], [passages] or [deletes], not " + arguments);
        }
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            new BulkThroughput(cluster.client(), arguments).compare();
        }
    }

    private void compare() throws InterruptedException, ExecutionException {
        client.must("PUT", "/_ingest/pipeline/" + SampleIndex.PIPELINE, sample.config("ingest-pipeline"));
        String setAField = "{\"processors\":[{\"set\":{\"field\":\"a\",\"value\":1}}]}";
        client.must("PUT", "/_ingest/pipeline/" + Way.EMPTY.pipeline, setAField);
        client.must(
                "PUT",
                "/_ingest/pipeline/" + Way.PASSAGES.pipeline,
                "{\"processors\":[{\"simhash\":{\"field\":\"content\"}},{\"passages\":{\"field\":\"content\"}}]}");
        for (String groups : List.of("none", "all")) {
            String pipeline = (groups.equals("all") ? Way.GROUPS : Way.NO_GROUPS).pipeline;
            client.must(
                    "PUT",
                    "/_ingest/pipeline/" + pipeline,
                    "{\"processors\":[{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{\"groups\":\"" + groups
                            + "\"}}]}");
        }
        Map<Way, List<IndexingRound>> rounds = new EnumMap<>(Way.class);
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            System.out.println(round < 0 ? "warming up" : "round " + (round + 1) + " of " + ROUNDS);
            for (Way way : inOrder(round)) {
                IndexingRound result = index(way);
                result.print(way.title);
                if (round >= 0) {
                    rounds.computeIfAbsent(way, any -> new ArrayList<>()).add(result);
                }
            }
        }
        System.out.println("medians");
        for (Way way : ways) {
            IndexingRound.median(rounds.get(way)).print(way.title);
        }
        double[] ratios = IntStream.range(0, ROUNDS)
                .mapToDouble(round -> rounds.get(ways.getLast()).get(round).documentsPerSecond()
                        / rounds.get(ways.getFirst()).get(round).documentsPerSecond())
                .sorted()
                .toArray();
        System.out.printf(
                Locale.ROOT,
                "throughput of the last / the first, by rounds: median %.3f, quartiles %.3f and %.3f%n",
                ratios[ROUNDS / 2],
                ratios[ROUNDS / 4],
                ratios[ROUNDS - 1 - ROUNDS / 4]);
    }

    private List<Way> inOrder(int round) {
        return round % 2 == 0 ? ways : ways.reversed();
    }

    private IndexingRound index(Way way) throws InterruptedException, ExecutionException {
        Object mappings = way.mappings == null ? sample.mappings() : Json.parse(way.mappings);
        var settings = Map.of("number_of_shards", 1, "number_of_replicas", 0, "refresh_interval", -1);
        client.must("PUT", "/throughput", Json.write(Map.of("settings", settings, "mappings", mappings)));
        String path = "/throughput/_bulk?filter_path=errors&pipeline=" + way.pipeline;
        // The mapping of the fields is made by the first documents, once in the life of an index.
        client.must("POST", path, bulks.getFirst());
        if (again) {
            for (String bulk : bulks) {
                client.must("POST", path, bulk);
            }
            client.must("POST", "/throughput/_refresh", null);
        }
        Duration cpuBefore = NodeClock.cpu(client);
        long start = System.nanoTime();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < bulks.size(); i++) {
                String bulk = bulks.get(i) + (way == Way.DELETES && i > CLIENTS ? deletes(i - CLIENTS - 1) : "");
                answers.add(clients.submit(() -> client.must("POST", path, bulk)));
            }
            for (Future<Answer> answer : answers) {
                if ((boolean) answer.get().at("errors")) {
                    throw new IllegalStateException("documents were refused");
                }
            }
        }
        client.must("POST", "/throughput/_flush", null);
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuMicros = NodeClock.cpu(client).minus(cpuBefore).toNanos() / 1e3 / DOCUMENTS;
        if (ways.contains(Way.GROUPS)) {
            client.must("POST", "/throughput/_forcemerge?max_num_segments=1", null);
            Object bytes = client.must("GET", "/throughput/_stats/store", null).at("_all.total.store.size_in_bytes");
            System.out.printf(Locale.ROOT, "  %-40s %.1f bytes/document%n", way.title, ((Number) bytes).doubleValue() / DOCUMENTS);
        }
        client.must("DELETE", "/throughput", null);
        return new IndexingRound(DOCUMENTS / seconds, cpuMicros);
    }

    /** Made beforehand: the clients only send. */
    private static List<String> bulks(boolean articles) {
        List<String> words = new SampleIndex().words("en", "de", "fr", "es");
        var random = new Random(1);
        List<String> bulks = new ArrayList<>();
        for (int from = 0; from < DOCUMENTS; from += BULK) {
            var lines = new StringBuilder();
            for (int i = 0; i < BULK; i++) {
                int start = random.nextInt(words.size() - WORDS);
                List<String> content = words.subList(start, start + WORDS);
                lines.append(articles ? article(from + i, content) : words(content));
            }
            bulks.add(lines.toString());
        }
        return bulks;
    }

    private static String deletes(int bulk) {
        return IntStream.range(bulk * BULK, (bulk + 1) * BULK)
                .mapToObj(number -> "{\"delete\":{\"_id\":\"article-" + number + "\"}}\n")
                .collect(Collectors.joining());
    }

    private static String words(List<String> content) {
        return "{\"index\":{}}\n" + Json.write(Map.of("content", String.join(" ", content))) + "\n";
    }

    private static String article(int number, List<String> content) {
        Map<String, Object> document = Map.of(
                "title", String.join(" ", content.subList(0, 8)),
                "url", "https://news.example.org/" + String.join("-", content.subList(0, 4)) + "-" + number,
                "published", LocalDate.EPOCH.plusDays(number / 10).toString(),
                "language", "en",
                "content", String.join(" ", content));
        return "{\"index\":{\"_id\":\"article-" + number + "\"}}\n" + Json.write(document) + "\n";
    }
}
