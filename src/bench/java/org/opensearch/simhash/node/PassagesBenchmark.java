/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.opensearch.simhash.benchmark.FingerprintIndex;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.text.SourceTexts;

/**
 * Passages on a real node: texts of 200 words, one of ten with 60 words of an earlier one, one of a hundred with a footer of 40. Prints the
 * bytes of terms and postings, and how long searches take. Argument: the number of documents.
 */
public final class PassagesBenchmark {

    private static final int WORDS = 200;
    private static final int VOCABULARY = 50_000;
    private static final int SEARCHES = 1000;
    /** A node that has just started compiles its code first: searches take ten times as long. */
    private static final int WARMING = 3_000;

    private static final String INDEX = "passages";

    private final RestClient client;
    private final int documents;
    private final Fingerprinter recipe =
            new RecipeBuilder().passages(PassageLayout.DEFAULT).standard();

    private PassagesBenchmark(RestClient client, int documents) {
        this.client = client;
        this.documents = documents;
    }

    public static void main(String[] args) {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            new PassagesBenchmark(cluster.client(), Integer.parseInt(args[0])).run();
        }
    }

    private void run() {
        Map<String, Object> notRead = Map.of("type", "object", "enabled", false);
        FingerprintIndex plain = FingerprintIndex.build(
                client,
                "plain",
                Map.of(),
                Map.of("dynamic", false, "properties", Map.of("passages", notRead)),
                documents,
                this::document);
        client.must("DELETE", "/plain", null);
        Object mapping = Json.at(new SampleIndex().mappings(), "properties.passages");
        FingerprintIndex index = FingerprintIndex.build(
                client,
                INDEX,
                Map.of(),
                Map.of("dynamic", false, "properties", Map.of("passages", mapping)),
                documents,
                this::document);
        System.out.printf(
                Locale.ROOT,
                "bytes a document: %.1f of terms and postings, %.1f with _source; bulk %.0f s, merge %.0f s%n",
                (index.bytes() - plain.bytes()) / (double) documents,
                index.bytes() / (double) documents,
                index.bulkSeconds(),
                index.mergeSeconds());
        client.must(
                "PUT", "/_ingest/pipeline/passages", "{\"processors\":[{\"passages\":{\"field\":\"content\"}}]}");
        for (String options : List.of("", ",\"min_words\":40")) {
            search(options);
        }
        client.must("PUT", "/" + INDEX + "/_settings", "{\"index.default_pipeline\":\"passages\"}");
        for (String options : List.of("", ",\"min_share\":0.2")) {
            job(options);
        }
    }

    private void job(String options) {
        Answer answer = client.must(
                "POST", "/_plugins/_simhash/deduplicate/" + INDEX, "{\"sketch\":\"passages\"" + options + "}");
        System.out.printf(
                Locale.ROOT,
                "job%s: %.1f s %s, %s groups, %s duplicates, %s pairs compared%n",
                options,
                answer.number("took") / 1e3,
                answer.at("phases_millis"),
                answer.at("groups"),
                answer.at("duplicates"),
                answer.at("pairs_compared"));
    }

    private static String words(Random random, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            // Common words are short ones.
            int word = (int) (VOCABULARY * Math.pow(random.nextDouble(), 3));
            text.append(Integer.toString(word, 36)).append(' ');
        }
        return text.toString();
    }

    private String text(int i) {
        Random own = new Random(i);
        boolean isSpliced = i > 10 && i % 10 == 0;
        String text = words(own, WORDS - 60);
        return text
                + (isSpliced ? words(new Random(i - 7), 60) : words(own, 60))
                + (i % 100 == 3 ? words(new Random(-1), 40) : "");
    }

    private String document(int i) {
        String text = text(i);
        return Json.write(Map.of(
                "content",
                text,
                "passages",
                FingerprintFields.of(recipe.passageTerms(SourceTexts.of(text), bytes -> {}), recipe.scheme())));
    }

    private void search(String options) {
        long[] took = new long[SEARCHES];
        long found = 0;
        for (int i = -WARMING; i < SEARCHES; i++) {
            String body = "{\"_source\":false,\"query\":{\"passages\":{\"pipeline\":\"passages\",\"text\":\""
                    + text(Math.floorMod(i * 7919, documents)) + "\"" + options + "}}}";
            long start = System.nanoTime();
            Answer answer = client.must("POST", "/" + INDEX + "/_search", body);
            if (i >= 0) {
                took[i] = (System.nanoTime() - start) / 1000;
                found += answer.number("hits.total.value");
            }
        }
        Arrays.sort(took);
        System.out.printf(
                Locale.ROOT,
                "search%s over HTTP: p50 %.1f ms, p95 %.1f ms, %.1f hits%n",
                options,
                took[SEARCHES / 2] / 1e3,
                took[SEARCHES * 95 / 100] / 1e3,
                found / (double) SEARCHES);
    }
}
