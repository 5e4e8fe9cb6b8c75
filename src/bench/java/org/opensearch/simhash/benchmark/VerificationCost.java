/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * What {@code verify} costs when {@value #CANDIDATES} documents of {@value #CHARACTERS} characters are within the distance:
 * texts from the sample corpus, each with variants of one changed word, through pipeline and template as users set them up.
 */
final class VerificationCost {

    private static final int TEXTS = 10;
    private static final int CANDIDATES = 100;
    private static final int CHARACTERS = 2_000;
    private static final int WARM_UP = 50;
    private static final int SEARCHES = 100;
    private static final String NONE = "none";
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
        Map<String, Measured> measured = search();
        report.table("measure", "took p50", "p95", "mean", "wall p50", "p95 (ms)", "matches");
        measured.forEach(this::row);
        measured.remove(NONE);
        measured.forEach((measure, times) -> report.bar(
                times.tookP50() <= LIMIT_MILLIS,
                "verify by " + measure + " over 100 candidates of 2 kB <= 10 ms",
                "took p50 %.0f ms, mean %.1f ms",
                times.tookP50(),
                times.tookMean()));
        client.must("DELETE", "/" + INDEX, null);
        sample.remove(client);
    }

    private void fill() {
        sample.configure(client);
        List<String> words = sample.words("en");
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

    /** By measure, in turns. */
    private Map<String, Measured> search() {
        Map<String, Measured> measured = new LinkedHashMap<>();
        measured.put(NONE, new Measured());
        for (Measure measure : Measure.values()) {
            measured.put(measure.name().toLowerCase(Locale.ROOT), new Measured());
        }
        for (int i = -WARM_UP; i < SEARCHES; i++) {
            int text = Math.floorMod(i, TEXTS);
            boolean counts = i >= 0;
            measured.forEach((measure, times) -> {
                long start = System.nanoTime();
                Answer answer = search(text, measure);
                if (counts) {
                    times.add(answer, (System.nanoTime() - start) / 1e6);
                    times.found(answer);
                }
            });
        }
        return measured;
    }

    private Answer search(int text, String measure) {
        Map<String, Object> query = new TreeMap<>();
        query.putAll(Map.of("field", "simhash", "id", Integer.toString(text * CANDIDATES)));
        query.putAll(Map.of("include_self", true, "max_distance", 10));
        if (measure.equals(NONE) == false) {
            query.put("verify", Map.of("field", "content", "measure", measure));
        }
        return client.must("POST", "/" + INDEX + "/_search", Json.write(Map.of("query", Map.of("simhash", query))));
    }

    private void row(String measure, Measured times) {
        report.line(
                "| %s | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f |",
                measure,
                times.tookP50(),
                times.tookP95(),
                times.tookMean(),
                times.wallP50(),
                times.wallP95(),
                times.meanFound());
    }
}
