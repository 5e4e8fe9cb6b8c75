/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.EditedFingerprints;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * Deduplication on a real node of 4 GB heap: documents that hold a fingerprint with its segments and a number, one shard in one Lucene leaf. Nine
 * of ten fingerprints are random, one of ten is an earlier one with none to seven bits flipped; {@code zipf} draws them as
 * {@link ZipfFingerprints} instead. Prints what {@code docs/figures/benchmarks-deduplicate.md} shows.
 *
 * <p>Arguments: number of documents, {@code uniform} or {@code zipf}, then what to do: distances to report, {@code tag},
 * {@code delete}, {@code cancel}, {@code search}, {@code conditions} (with and without two conditions on a pair, in turns; the first thing to
 * do, since its documents have three fields more). With {@code -Dsimhash.node=http://HOST:PORT} the jobs run on a node that runs already, and the index
 * is made there unless it is there. {@code -Dsimhash.rounds=1} does reports once only.
 */
public final class DeduplicateBenchmark {

    private static final int FLIPS = 7;
    private static final int ROUNDS = Integer.getInteger("simhash.rounds", 2);
    private static final int NEW = 1_000;
    private static final int SEARCHES = 200;

    /** In turns, so that all ways meet the same other work of the machine. */
    private static final Map<String, Map<String, ?>> CONDITIONS = new TreeMap<>(Map.of(
            "none", Map.of(),
            "same, within", Map.of("same", List.of("tenant"), "within", within(60)),
            "differ, within", Map.of("differ", List.of("tenant"), "within", within(60)),
            "dynamic differ, within", Map.of("differ", List.of("source"), "within", within(60))));

    private static Map<String, Object> within(int days) {
        return Map.of("field", "published", "distance", days + "d");
    }

    /** At so many bits a search reads all fingerprints. */
    private static final int SCAN = 24;

    private final RestClient client;
    private final String spread;
    private final int documents;
    private final boolean isConditional;
    private final String index;

    private DeduplicateBenchmark(RestClient client, List<String> args) {
        this.client = client;
        this.documents = Integer.parseInt(args.get(0));
        this.spread = args.get(1);
        this.isConditional = args.contains("conditions");
        this.index = spread + "-" + documents + (isConditional ? "-conditions" : "");
    }

    public static void main(String[] args) {
        String address = System.getProperty("simhash.node");
        if (address != null) {
            try (var client = new RestClient(URI.create(address))) {
                var benchmark = new DeduplicateBenchmark(client, List.of(args));
                if (client.get("/" + benchmark.index).ok() == false) {
                    benchmark.fill();
                }
                List.of(args).subList(2, args.length).forEach(benchmark::run);
            }
            return;
        }
        NodeOptions options = NodeOptions.production(1, "4g");
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), options)) {
            var benchmark = new DeduplicateBenchmark(cluster.client(), List.of(args));
            benchmark.fill();
            for (String what : List.of(args).subList(2, args.length)) {
                benchmark.run(what);
            }
        }
    }

    private void fill() {
        LongSupplier fingerprints = fingerprints();
        Map<String, Object> properties = new TreeMap<>(properties(new SampleIndex().mappings()));
        properties.put("tenant", Map.of("type", "keyword"));
        // As dynamic mapping makes it: a job has to see that no value was too long.
        Object keyword = Map.of("type", "keyword", "ignore_above", 256);
        properties.put("source", Map.of("type", "text", "fields", Map.of("keyword", keyword)));
        properties.put("published", Map.of("type", "date"));
        Object mappings = Map.of("properties", properties);
        long[] values = new long[documents];
        for (int i = 0; i < documents; i++) {
            values[i] = fingerprints.getAsLong();
        }
        IntFunction<String> source = i -> document(values[i], i);
        FingerprintIndex filled = FingerprintIndex.build(client, index, Map.of(), mappings, documents, source);
        System.out.printf(
                Locale.ROOT, "%,d documents indexed in %.0f s, %s%n", documents, filled.bulkSeconds(), spread);
    }

    @SuppressWarnings("unchecked") // from JSON
    private static Map<String, Object> properties(Object mappings) {
        return (Map<String, Object>) ((Map<String, ?>) mappings).get("properties");
    }

    private LongSupplier fingerprints() {
        return spread.equals("zipf") ? new ZipfFingerprints(5) : new EditedFingerprints(documents, 10, FLIPS, 5);
    }

    private void run(String what) {
        switch (what) {
            case "tag" -> {
                print("tag", job(Map.of("action", "tag", "max_distance", 7)));
                print("tag again", job(Map.of("action", "tag", "max_distance", 7)));
            }
            case "delete" ->
                print(
                        "delete",
                        job(Map.of(
                                "action",
                                "delete",
                                "verify",
                                false,
                                "max_distance",
                                7,
                                "archive",
                                Map.of("index", "gone"))));
            case "new" -> {
                Map<String, Object> last = Map.of("range", Map.of("number", Map.of("gte", documents - NEW)));
                for (int round = 0; round < ROUNDS; round++) {
                    print("report, 1,000 new", job(Map.of("max_distance", 3, "new_since", last)));
                }
                print("tag, 1,000 new", job(Map.of("max_distance", 3, "new_since", last, "action", "tag")));
            }
            case "chain" -> print("chain, distance 3", job(Map.of("max_distance", 3, "linkage", "chain")));
            case "cancel" -> {
                for (String phase : List.of("scan", "join", "read", "write")) {
                    cancel(phase);
                }
            }
            case "search" -> search();
            case "conditions" -> conditions();
            default -> {
                for (int round = 0; round < ROUNDS; round++) {
                    print("report, distance " + what, job(Map.of("max_distance", Integer.parseInt(what))));
                }
            }
        }
    }

    private void conditions() {
        for (int distance : new int[] {3, 7}) {
            Map<String, List<Double>> seconds = new TreeMap<>();
            for (int round = -1; round < Math.max(5, ROUNDS); round++) {
                for (String way : CONDITIONS.keySet()) {
                    Map<String, Object> options = new TreeMap<>(CONDITIONS.get(way));
                    options.put("max_distance", distance);
                    Map<String, Object> response = job(options);
                    print("distance " + distance + ", " + way, response);
                    if (round >= 0) {
                        seconds.computeIfAbsent(way, any -> new ArrayList<>())
                                .add(((Number) response.get("took")).longValue() / 1e3);
                    }
                }
            }
            for (String way : CONDITIONS.keySet()) {
                System.out.printf(
                        Locale.ROOT,
                        "distance %d, %-22s median %.2f s, %.2f times as long as without, median of the rounds%n",
                        distance,
                        way,
                        median(seconds.get(way)),
                        median(ratios(seconds.get(way), seconds.get("none"))));
            }
        }
    }

    private static List<Double> ratios(List<Double> with, List<Double> without) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < with.size(); round++) {
            ratios.add(with.get(round) / without.get(round));
        }
        return ratios;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    /** Half of the searches have a document to find. */
    private void search() {
        LongSupplier fingerprints = fingerprints();
        var random = new SplittableRandom(9);
        long[] queries = new long[SEARCHES];
        for (int i = 0; i < SEARCHES; i++) {
            queries[i] = i % 2 == 0 ? random.nextLong() : fingerprints.getAsLong();
        }
        for (int distance : new int[] {3, 7, 11, 3, 7, 11, SCAN}) {
            var measured = new Measured();
            for (int i = 0; i < (distance > 7 ? SEARCHES / 10 : SEARCHES); i++) {
                String body = SearchForm.SIMHASH.body(queries[i], distance);
                long start = System.nanoTime();
                Answer answer = client.must("POST", "/" + index + "/_search?request_cache=false", body);
                measured.add(answer, (System.nanoTime() - start) / 1e6);
                measured.found(answer);
            }
            System.out.printf(
                    Locale.ROOT,
                    "search, distance %-7d %d searches, took p50 %.0f ms, p95 %.0f ms, mean %.1f ms; %.1f found%n",
                    distance,
                    measured.searches(),
                    measured.tookP50(),
                    measured.tookP95(),
                    measured.tookMean(),
                    measured.meanFound());
        }
    }

    /** As a task: it may take longer than a request may. */
    private Map<String, Object> job(Map<String, ?> options) {
        String path = "/_plugins/_simhash/deduplicate/" + index + "?wait_for_completion=false";
        String task = client.must("POST", path, Json.write(options)).string("task");
        Answer ended = client.await(task);
        if (ended.at("error") != null) {
            throw new IllegalStateException(ended.text());
        }
        @SuppressWarnings("unchecked")
        var response = (Map<String, Object>) ended.at("response");
        return response;
    }

    private static void print(String what, Map<String, Object> response) {
        Map<String, Object> shown = new TreeMap<>(response);
        shown.keySet()
                .retainAll(List.of(
                        "pairs",
                        "pairs_compared",
                        "groups",
                        "duplicates",
                        "tagged",
                        "grouped",
                        "cleared",
                        "deleted",
                        "archived",
                        "version_conflicts",
                        "phases_millis",
                        "passes",
                        "largest_group",
                        "split_groups"));
        System.out.printf(
                Locale.ROOT, "%-22s %7.2f s  %s%n", what, ((Number) response.get("took")).longValue() / 1e3, shown);
    }

    /** Milliseconds from the cancellation until the job is gone. */
    private void cancel(String phase) {
        String action = phase.equals("write") ? "tag" : "report";
        String body = Json.write(Map.of("max_distance", phase.equals("join") ? 12 : 3, "action", action));
        String task = client.must(
                        "POST",
                        "/_plugins/_simhash/deduplicate/" + index + "?wait_for_completion=false&requests_per_second="
                                + (phase.equals("write") ? "500" : "-1"),
                        body)
                .string("task");
        List<String> seen = new ArrayList<>();
        while (true) {
            Answer status = client.must("GET", "/_tasks/" + task, null);
            String now = status.string("task.status.phase");
            if (seen.contains(now) == false) {
                seen.add(now);
            }
            if (now.equals(phase) || (boolean) status.at("completed")) {
                break;
            }
        }
        long start = System.nanoTime();
        client.must("POST", "/_tasks/" + task + "/_cancel", null);
        Answer end = client.must("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=60s", null);
        System.out.printf(
                Locale.ROOT,
                "cancelled in %-8s gone after %5.0f ms; phases seen %s, error: %s%n",
                phase,
                (System.nanoTime() - start) / 1e6,
                seen,
                end.at("error.type"));
    }

    /** Of a given hash: no text is stored, which a delete would look at. */
    private String document(long bits, int i) {
        // Of a pair, half are of one tenant, and half within 60 days of 200.
        String more = isConditional
                ? ",\"tenant\":\"t" + (Corpus.mix(i) & 1) + "\",\"source\":\"t" + (Corpus.mix(i) & 1)
                        + "\",\"published\":"
                        + (1_700_000_000_000L + Math.floorMod(Corpus.mix(~(long) i), 200) * 86_400_000L)
                : "";
        return "{\"number\":" + i + more + ",\"simhash\":"
                + FingerprintIndex.fields(bits, i).replace("v1-0badcafe", "given-bench") + "}";
    }
}
