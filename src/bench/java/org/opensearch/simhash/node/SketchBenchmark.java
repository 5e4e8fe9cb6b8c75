/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.opensearch.simhash.benchmark.FingerprintIndex;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;

/**
 * Sketches on a real node: documents of 200 features, one of ten like an earlier one in 80 to 100 of 100 features. Prints bytes, how long
 * searches and a job take. Argument: the number of documents.
 */
public final class SketchBenchmark {

    private static final int FEATURES = 200;
    private static final int SEARCHES = 500;
    /** A node that has just started compiles its code first: searches take ten times as long. */
    private static final int WARMING = 3_000;

    private static final String INDEX = "sketches";

    private final RestClient client;
    private final int documents;

    private SketchBenchmark(RestClient client, int documents) {
        this.client = client;
        this.documents = documents;
    }

    public static void main(String[] args) {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            new SketchBenchmark(cluster.client(), Integer.parseInt(args[0])).run();
        }
    }

    private void run() {
        Object mapping = Json.at(new SampleIndex().mappings(), "properties.minhash");
        FingerprintIndex plain = FingerprintIndex.build(
                client,
                "plain",
                Map.of(),
                Map.of("properties", Map.of("minhash", Map.of("type", "object", "enabled", false))),
                documents,
                this::document);
        client.must("DELETE", "/plain", null);
        FingerprintIndex index = FingerprintIndex.build(
                client, INDEX, Map.of(), Map.of("properties", Map.of("minhash", mapping)), documents, this::document);
        System.out.printf(
                Locale.ROOT,
                "bytes a document: %.1f of the fields, %.1f with _source; bulk %.0f s, merge %.0f s%n",
                (index.bytes() - plain.bytes()) / (double) documents,
                index.bytes() / (double) documents,
                index.bulkSeconds(),
                index.mergeSeconds());
        for (String options : List.of("\"min_similarity\":0.8", "\"min_similarity\":0.5", "\"containment\":true")) {
            search(options);
        }
        job("{\"sketch\":\"minhash\"}");
    }

    /** An earlier document, and what differs from it. */
    private String document(int i) {
        Random own = new Random(i);
        long[] features = new long[FEATURES];
        if (i > 10 && i % 10 == 0) {
            Random other = new Random(i - 7);
            Arrays.setAll(features, j -> other.nextLong());
            int changed = own.nextInt(FEATURES / 10);
            for (int j = 0; j < changed; j++) {
                features[j] = own.nextLong();
            }
        } else {
            Arrays.setAll(features, j -> own.nextLong());
        }
        Sketch sketch = Sketch.of(features, FEATURES, BandLayout.DEFAULT_PERMUTATIONS);
        return Json.write(Map.of(
                "minhash",
                Map.of(
                        FingerprintFields.BANDS, List.of(BandLayout.DEFAULT.terms(sketch)),
                        FingerprintFields.SKETCH, sketch.toBase64(),
                        FingerprintFields.DIGEST, String.format(Locale.ROOT, "%016x%016x", own.nextLong(), own.nextLong()),
                        FingerprintFields.SIZE, FEATURES,
                        FingerprintFields.SCHEME, "m2-0a589bd5")));
    }

    private void search(String options) {
        Answer first = client.must(
                "POST", "/" + INDEX + "/_search", "{\"size\":1000,\"_source\":false,\"query\":{\"match_all\":{}}}");
        List<?> hits = (List<?>) first.at("hits.hits");
        long[] took = new long[SEARCHES];
        long found = 0;
        for (int i = options.contains("containment") ? -SEARCHES / 10 : -WARMING; i < SEARCHES; i++) {
            String id =
                    Json.at(hits.get(Math.floorMod(i * 7, hits.size())), "_id").toString();
            Answer answer = client.must(
                    "POST",
                    "/" + INDEX + "/_search",
                    "{\"_source\":false,\"query\":{\"minhash\":{\"id\":\"" + id + "\"," + options + "}}}");
            if (i >= 0) {
                took[i] = answer.number("took");
                found += answer.number("hits.total.value");
            }
        }
        Arrays.sort(took);
        System.out.printf(
                Locale.ROOT,
                "search with %s: took p50 %d ms, p95 %d ms, %.1f hits%n",
                options,
                took[SEARCHES / 2],
                took[SEARCHES * 95 / 100],
                found / (double) SEARCHES);
    }

    private void job(String body) {
        Answer job = client.must("POST", "/_plugins/_simhash/deduplicate/" + INDEX, body);
        System.out.printf(
                Locale.ROOT,
                "job %s: %.1f s (%s), %,d pairs, %,d compared, %,d duplicates%n",
                body,
                job.number("took") / 1e3,
                job.at("phases_millis"),
                job.number("pairs"),
                job.number("pairs_compared"),
                job.number("duplicates"));
    }
}
