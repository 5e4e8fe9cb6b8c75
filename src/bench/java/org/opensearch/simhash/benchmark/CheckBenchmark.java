/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.Locale;
import java.util.Map;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.EditedFingerprints;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.SampleIndex;

/**
 * How long {@code check} takes for one index of one shard, on a real node of 2 GB heap. Documents hold a fingerprint and a number.
 * Prints what {@code docs/check.md} shows. Argument: number of documents.
 */
public final class CheckBenchmark {

    private static final String INDEX = "corpus";
    private static final int ROUNDS = 5;

    private CheckBenchmark() {}

    public static void main(String[] args) {
        int documents = Integer.parseInt(args[0]);
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            var client = cluster.client();
            client.must(
                    "PUT",
                    "/_ingest/pipeline/" + INDEX,
                    "{\"processors\": [{\"simhash\": {\"field\": \"content\", \"ignore_missing\": true}}]}");
            var fingerprints = new EditedFingerprints(documents, 10, 7, 5);
            long[] bits = new long[documents];
            for (int i = 0; i < documents; i++) {
                bits[i] = fingerprints.getAsLong();
            }
            FingerprintIndex index = FingerprintIndex.build(
                    client, INDEX, Map.of(), new SampleIndex().mappings(), documents, i -> document(bits[i], i));
            client.must("PUT", "/" + INDEX + "/_settings", "{\"index.default_pipeline\": \"" + INDEX + "\"}");
            System.out.printf(
                    Locale.ROOT,
                    "%,d documents, %,d bytes, indexed in %.0f s%n",
                    documents,
                    index.bytes(),
                    index.bulkSeconds());
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                Answer check = client.must("GET", "/_plugins/_simhash/check/" + INDEX, null);
                System.out.printf(
                        Locale.ROOT,
                        "check: %.2f s, %s, fingerprinted %,d, findings %s%n",
                        (System.nanoTime() - start) / 1e9,
                        check.string("status"),
                        check.number("fingerprinted"),
                        check.at("findings.0.code"));
            }
        }
    }

    private static String document(long bits, int i) {
        String hash = SearchForm.hex(bits);
        return "{\"number\":" + i + ",\"simhash\":{\"hash\":\"" + hash + "\",\"bits\":" + bits + ",\"segment_0\":\""
                + hash.substring(0, 4) + "\",\"segment_1\":\"" + hash.substring(4, 8) + "\",\"segment_2\":\""
                + hash.substring(8, 12) + "\",\"segment_3\":\"" + hash.substring(12) + "\",\"digest\":\""
                + SearchForm.hex(Corpus.mix(i)) + SearchForm.hex(Corpus.mix(~(long) i)) + "\",\"features\":"
                + (100 + i % 200) + ",\"scheme\":\"v1-0badcafe\"}}";
    }
}
