/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * What the gate for short texts costs: lines a second with the sketch alone and with {@code near_duplicate} behind it, as {@code
 * config/pipeline-facts.json} has both, in turns on one real node, into one index; then a job over all of it. Lines are the
 * questions of {@code en_question_trivia}, then the beginning of one with the end of another: a fifth of each bulk is a stored line in
 * capitals.
 *
 * <p>{@code target/java -Dsimhash.data=FOLDER org.opensearch.simhash.quality.LinesThroughput 100000 1000000}: stored lines beforehand,
 * as often as there are numbers. {@code -Dsimhash.lines=1000} times fewer of them, {@code -Dsimhash.layout=16x8} has other bands, {@code
 * -Dsimhash.job=0.6} another least similarity of the job.
 */
public final class LinesThroughput {

    private static final String INDEX = "docs-facts";
    private static final int BULK = 1_000;
    /** Of each bulk that is timed. */
    private static final int LINES = Integer.getInteger("simhash.lines", 10_000);
    /** Bands and rows of the sketches. */
    private static final String[] LAYOUT = System.getProperty("simhash.layout", "32x4").split("x");
    /** At 0.4 a job compares a sixth of all pairs of such lines, or more. */
    private static final String JOB_SIMILARITY = System.getProperty("simhash.job", "0.8");
    private static final int ROUNDS = 5;
    private static final int CLIENTS = 2;
    private static final List<String> COUNTED = List.of("probes", "candidates", "compared", "verified", "matches");

    private final RestClient client;
    private final List<String> known;
    private final Random random = new Random(1);
    private int stored;

    private LinesThroughput(RestClient client, List<String> known) {
        this.client = client;
        this.known = known;
    }

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        List<String> known = DataSets.configured().read("en_question_trivia", "questions.jsonl").stream()
                .map(question -> question.get("text").toString())
                .filter(text -> text.split("\\s+").length >= 6)
                .distinct()
                .toList();
        System.out.printf(Locale.ROOT, "%,d real lines%n", known.size());
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            var throughput = new LinesThroughput(cluster.client(), known);
            throughput.create();
            for (String documents : args) {
                throughput.fill(Integer.parseInt(documents));
                throughput.compare();
                throughput.job();
            }
        }
    }

    private void create() throws IOException {
        new SampleIndex().configure(client);
        String bands = "\"content_words\", \"bands\": " + LAYOUT[0] + ", \"rows\": " + LAYOUT[1];
        String gate = Files.readString(Path.of("config/pipeline-facts.json")).replace("\"content_words\"", bands);
        Object sketch = Json.at(Json.parse(gate), "processors.0");
        client.must("PUT", "/_ingest/pipeline/gate", gate);
        client.must("PUT", "/_ingest/pipeline/sketch", Json.write(Map.of("processors", List.of(sketch))));
        client.must(
                "PUT",
                "/" + INDEX,
                "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0,\"refresh_interval\":\"30s\"}}");
    }

    /** The first of all are those of the sets. */
    private String line(int number) {
        if (number < known.size()) {
            return known.get(number);
        }
        String[] begin = known.get(random.nextInt(known.size())).split("\\s+");
        String[] end = known.get(random.nextInt(known.size())).split("\\s+");
        return String.join(" ", List.of(begin).subList(0, begin.length / 2)) + " "
                + String.join(" ", List.of(end).subList(end.length / 2, end.length));
    }

    private List<String> bulks(int lines, boolean withCopies) {
        List<String> bulks = new ArrayList<>();
        for (int from = 0; from < lines; from += BULK) {
            StringBuilder bulk = new StringBuilder();
            for (int i = 0; i < BULK; i++) {
                boolean isCopy = withCopies && i % 5 == 4;
                String fact = isCopy
                        ? known.get(random.nextInt(known.size())).toUpperCase(Locale.ROOT)
                        : line(stored + from + i);
                bulk.append("{\"index\":{}}\n")
                        .append(Json.write(Map.of("fact", fact, "lang", "en")))
                        .append('\n');
            }
            bulks.add(bulk.toString());
        }
        return bulks;
    }

    private double index(String pipeline, List<String> bulks) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (String bulk : bulks) {
                answers.add(clients.submit(() ->
                        client.must("POST", "/" + INDEX + "/_bulk?filter_path=errors,items.*.error&pipeline=" + pipeline, bulk)));
            }
            for (Future<Answer> answer : answers) {
                if ((boolean) answer.get().at("errors")) {
                    throw new IllegalStateException(answer.get().text());
                }
            }
        }
        client.must("POST", "/" + INDEX + "/_flush", null);
        return bulks.size() * BULK / ((System.nanoTime() - start) / 1e9);
    }

    private void fill(int documents) throws InterruptedException, ExecutionException {
        while (stored < documents) {
            int lines = Math.min(50_000, documents - stored);
            index("sketch", bulks(lines, false));
            stored += lines;
        }
        client.must("POST", "/" + INDEX + "/_refresh", null);
        System.out.printf(Locale.ROOT, "%,d lines are stored%n", documents);
    }

    private void compare() throws InterruptedException, ExecutionException {
        List<Double> alone = new ArrayList<>();
        List<Double> gated = new ArrayList<>();
        Map<String, Long> before = counters();
        for (int round = -1; round < ROUNDS; round++) {
            double sketch = index("sketch", bulks(LINES, true));
            double gate = index("gate", bulks(LINES, true));
            System.out.printf(Locale.ROOT, "  sketch %,.0f, gate %,.0f lines a second%n", sketch, gate);
            if (round >= 0) {
                alone.add(sketch);
                gated.add(gate);
            }
        }
        alone.sort(null);
        gated.sort(null);
        StringBuilder steps = new StringBuilder();
        Map<String, Long> after = counters();
        before.forEach((name, count) ->
                steps.append(String.format(Locale.ROOT, ", %s %.1f", name, (after.get(name) - count) / (double)
                        (LINES * (ROUNDS + 1)))));
        System.out.printf(
                Locale.ROOT,
                "medians: sketch alone %,.0f, with the gate %,.0f lines a second; of each gated line%s%n",
                alone.get(ROUNDS / 2),
                gated.get(ROUNDS / 2),
                steps);
    }

    private Map<String, Long> counters() {
        Map<?, ?> nodes = (Map<?, ?>) client.get("/_plugins/_simhash/stats").at("nodes");
        Map<String, Long> counters = new TreeMap<>();
        for (String name : COUNTED) {
            counters.put(
                    name,
                    ((Number) Json.at(nodes.values().iterator().next(), "queries." + name)).longValue());
        }
        return counters;
    }

    private void job() throws IOException {
        client.must("POST", "/" + INDEX + "/_refresh", null);
        String task = client.must(
                        "POST",
                        "/_plugins/_simhash/deduplicate/" + INDEX + "?wait_for_completion=false",
                        Files.readString(Path.of("config/job-facts.json"))
                                .replace("\"min_similarity\": 0.4", "\"min_similarity\": " + JOB_SIMILARITY))
                .string("task");
        Answer answer = client.await(task);
        System.out.printf(
                Locale.ROOT,
                "job from %s over %,d documents: %.1f s, %,d groups, %,d duplicates%n",
                JOB_SIMILARITY,
                answer.number("response.documents"),
                answer.number("response.took") / 1e3,
                answer.number("response.groups"),
                answer.number("response.duplicates"));
    }
}
