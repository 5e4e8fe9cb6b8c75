/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.opensearch.simhash.benchmark.FingerprintIndex;
import org.opensearch.simhash.core.fingerprint.LongHash;

/**
 * Given hashes of 256 bits on a real node of 2 GB heap, in one shard: bytes, searches at 31 bits beside a script that compares four
 * {@code long} fields, and a job at 31 bits. One hash of a hundred is an earlier one with up to 31 bits flipped.
 *
 * <p>Argument: number of documents.
 */
public final class LongHashNode {

    private static final int DISTANCE = 31;
    private static final int WORDS = 4;
    private static final int SEARCHES = 500;
    private static final int SCRIPTS = 25;

    private final RestClient client;
    private final int documents;

    private LongHashNode(RestClient client, int documents) {
        this.client = client;
        this.documents = documents;
    }

    public static void main(String[] args) {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            new LongHashNode(cluster.client(), Integer.parseInt(args[0])).run();
        }
    }

    private void run() {
        client.must("PUT", "/_ingest/pipeline/given", """
                {"processors": [{"simhash": {"hash_field": "given", "hash_bits": 256, "hash_scheme": "other",
                                             "target_field": "simhash"}}]}""");
        Map<String, Object> plain = new TreeMap<>(Map.of("given", Map.of("type", "keyword", "index", false)));
        long without = build("plain", Map.of(), plain).bytes();
        FingerprintIndex index = build(
                "hashes",
                Map.of("default_pipeline", "given"),
                Map.of("given", plain.get("given"), "simhash", Json.at(new SampleIndex().mappings(), "properties.simhash")));
        System.out.printf(
                Locale.ROOT,
                "%,d documents, %.1f bytes each beside the given hash (with _source); bulk %.0f s, merge %.0f s%n",
                documents,
                (index.bytes() - without) / (double) documents,
                index.bulkSeconds(),
                index.mergeSeconds());
        for (int word = 0; word < WORDS; word++) {
            plain.put("w" + word, Map.of("type", "long", "index", false));
        }
        build("words", Map.of(), plain);
        search("hashes", this::query, SEARCHES);
        search("words", this::script, SCRIPTS);
        for (int i = 0; i < 3; i++) {
            Answer job = client.must(
                    "POST", "/_plugins/_simhash/deduplicate/hashes", "{\"max_distance\":" + DISTANCE + "}");
            System.out.printf(
                    Locale.ROOT,
                    "job: %.1f s (%s), %,d pairs, %,d compared, %,d groups%n",
                    job.number("took") / 1e3,
                    job.at("phases_millis"),
                    job.number("pairs"),
                    job.number("pairs_compared"),
                    job.number("groups"));
        }
    }

    private FingerprintIndex build(String name, Map<String, Object> settings, Map<String, Object> properties) {
        return FingerprintIndex.build(
                client, name, settings, Map.of("dynamic_templates", segments(), "properties", properties), documents, i -> {
                    LongHash hash = hash(i);
                    Map<String, Object> document = new TreeMap<>(Map.of("given", hash.toHex()));
                    for (int word = 0; properties.containsKey("w0") && word < WORDS; word++) {
                        document.put("w" + word, hash.word(word));
                    }
                    return Json.write(document);
                });
    }

    private static Object segments() {
        return Json.at(new SampleIndex().mappings(), "dynamic_templates");
    }

    private static LongHash hash(int i) {
        Random random = new Random(i);
        if (i % 100 != 1) {
            return new LongHash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
        }
        byte[] bytes = hash(i - 1).toBytes();
        for (int flips = random.nextInt(DISTANCE + 1); flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        return LongHash.fromBytes(bytes, 0, bytes.length);
    }

    private String query(LongHash hash) {
        return "{\"simhash\":{\"hash\":\"" + hash.toHex() + "\",\"max_distance\":" + DISTANCE + "}}";
    }

    private String script(LongHash hash) {
        StringBuilder source = new StringBuilder("0");
        for (int word = 0; word < WORDS; word++) {
            source.append("+Long.bitCount(doc['w").append(word).append("'].value^params.w").append(word).append(")");
        }
        return "{\"bool\":{\"filter\":{\"script\":{\"script\":{\"source\":\"" + source + "<=" + DISTANCE
                + "\",\"params\":" + Json.write(Map.of(
                        "w0", hash.word(0), "w1", hash.word(1), "w2", hash.word(2), "w3", hash.word(3)))
                + "}}}}}";
    }

    private void search(String index, Function<LongHash, String> query, int searches) {
        Random random = new Random(7);
        long[] took = new long[searches];
        long[] nanos = new long[searches];
        long found = 0;
        // A node that has just started compiles its code first.
        for (int i = -3 * searches; i < searches; i++) {
            LongHash hash = hash(random.nextInt(documents / 100) * 100 + (random.nextBoolean() ? 0 : 50));
            String body = "{\"_source\":false,\"query\":" + query.apply(hash) + "}";
            long start = System.nanoTime();
            Answer answer = client.must("POST", "/" + index + "/_search?request_cache=false", body);
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
                took[i] = answer.number("took");
                found += answer.number("hits.total.value");
            }
        }
        Arrays.sort(took);
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "%s: took p50 %d ms, p95 %d ms; at the client p50 %.2f ms; %,d hits of %d searches%n",
                index,
                took[searches / 2],
                took[searches * 95 / 100],
                nanos[searches / 2] / 1e6,
                found,
                searches);
    }
}
