/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.simhash.verify.Measure;

/**
 * What {@code verify} costs when {@value #CANDIDATES} documents of {@value #CHARACTERS} characters are within the distance:
 * texts from the sample corpus, each with variants of one changed word, through pipeline and template as users set them up.
 */
final class VerificationCost {

    private static final int TEXTS = 10;
    private static final int CANDIDATES = 100;
    private static final int CHARACTERS = 2_000;
    private static final int WARM_UP = 30;
    private static final int ROUNDS = 10;
    private static final int LIMIT_MILLIS = 10;
    private static final String INDEX = "docs-verify";

    private final RestClient client;
    private final Report report;
    private final SampleIndex sample = new SampleIndex();

    VerificationCost(RestClient client, Report report) {
        this.client = client;
        this.report = report;
    }

    void run() {
        report.part("Verification of " + CANDIDATES + " candidates of " + CHARACTERS + " characters");
        fill();
        report.table("measure", "searches", "took p50", "p95", "mean", "wall p50", "p95 (ms)", "matches");
        row("none", search(null));
        Map<Measure, Measured> measured = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            measured.put(measure, search(measure.name().toLowerCase(Locale.ROOT)));
            row(measure.name().toLowerCase(Locale.ROOT), measured.get(measure));
        }
        measured.forEach((measure, times) -> report.bar(
                times.tookP50() <= LIMIT_MILLIS,
                "verify by " + measure.name().toLowerCase(Locale.ROOT) + " over 100 candidates of 2 kB <= 10 ms",
                "took p50 %.0f ms, mean %.1f ms",
                times.tookP50(),
                times.tookMean()));
        client.must("DELETE", "/" + INDEX, null);
        sample.remove(client);
    }

    private void fill() {
        sample.configure(client);
        List<String> words = sample.documents().values().stream()
                .filter(document -> "en".equals(document.get("language")))
                .flatMap(document -> Arrays.stream(((String) document.get("content")).split("\\s+", -1)))
                .toList();
        var random = new SplittableRandom(1);
        List<String> documents = new ArrayList<>();
        for (int text = 0; text < TEXTS; text++) {
            List<String> original = cut(words, random.nextInt(words.size() - CHARACTERS));
            for (int variant = 0; variant < CANDIDATES; variant++) {
                List<String> changed = new ArrayList<>(original);
                if (variant > 0) {
                    changed.set(random.nextInt(changed.size()), "variant" + variant);
                }
                documents.add(Json.write(Map.of("content", String.join(" ", changed))));
            }
        }
        Object content = Map.of("properties", Map.of("content", Map.of("type", "text")));
        FingerprintIndex.build(client, INDEX, Map.of(), content, documents.size(), documents::get);
    }

    private static List<String> cut(List<String> words, int from) {
        int characters = 0;
        int end = from;
        while (characters < CHARACTERS) {
            characters += words.get(end++).length() + 1;
        }
        return words.subList(from, end);
    }

    private Measured search(String measure) {
        for (int i = 0; i < WARM_UP; i++) {
            search(i % TEXTS, measure);
        }
        var measured = new Measured();
        for (int i = 0; i < ROUNDS * TEXTS; i++) {
            long start = System.nanoTime();
            Answer answer = search(i % TEXTS, measure);
            measured.add(answer, (System.nanoTime() - start) / 1e6);
            measured.found(answer);
        }
        return measured;
    }

    private Answer search(int text, String measure) {
        Map<String, Object> query = new TreeMap<>();
        query.putAll(Map.of("field", "simhash", "id", Integer.toString(text * CANDIDATES)));
        query.putAll(Map.of("include_self", true, "max_distance", 10));
        if (measure != null) {
            query.put("verify", Map.of("field", "content", "measure", measure));
        }
        return client.must("POST", "/" + INDEX + "/_search", Json.write(Map.of("query", Map.of("simhash", query))));
    }

    private void row(String measure, Measured times) {
        report.line(
                "| %s | %d | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f |",
                measure,
                times.searches(),
                times.tookP50(),
                times.tookP95(),
                times.tookMean(),
                times.wallP50(),
                times.wallP95(),
                times.meanFound());
    }
}
