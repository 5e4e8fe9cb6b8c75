/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;

/**
 * Recall and precision are exactly 1: thousands of fingerprints, half of them random and half crowded into a few buckets, on three
 * shards with replicas and with deleted documents, against comparing each with each.
 */
@RealNodes(3)
class ExactnessIT {

    private static final int DOCUMENTS = Rounds.of(6_000, 20_000);
    private static final int BULK = 2_000;
    private static final int DELETED_EVERY = 17;
    private static final int[] DISTANCES = {0, 1, 3, 4, 7, 10, 16, 32, 64};
    private static final int QUERIES = 12;

    private final RestClient client;
    private final Random random = new Random(20_000);

    ExactnessIT(RealCluster cluster) {
        this.client = cluster.client(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void testNoneMissedAndNoneWrong(int segments) {
        String index = "exact-" + segments;
        long[] fingerprints = fingerprints();
        create(index);
        index(index, fingerprints, new SegmentLayout(segments));
        for (int distance : DISTANCES) {
            long[] queries = queries(fingerprints, distance < 32 ? QUERIES : 2);
            List<?> answers = search(index, queries, distance);
            for (int i = 0; i < queries.length; i++) {
                assertExact(fingerprints, queries[i], distance, answers.get(i));
            }
        }
        client.must("DELETE", "/" + index, null);
    }

    /** Even documents: uniform. Odd ones: few values per byte, most of them the same, so that segments collide. */
    private long[] fingerprints() {
        long[] fingerprints = new long[DOCUMENTS];
        for (int i = 0; i < DOCUMENTS; i++) {
            if (i % 2 == 0) {
                fingerprints[i] = random.nextLong();
            } else {
                for (int b = 0; b < Long.BYTES; b++) {
                    long skewed = Math.round(Math.abs(random.nextGaussian()));
                    fingerprints[i] |= skewed << (b * Byte.SIZE);
                }
            }
        }
        return fingerprints;
    }

    /** Stored ones with up to 16 bits flipped, and, every fourth, any. */
    private long[] queries(long[] fingerprints, int count) {
        long[] queries = new long[count];
        for (int i = 0; i < count; i++) {
            queries[i] = fingerprints[random.nextInt(DOCUMENTS)];
            for (int flips = random.nextInt(17); flips > 0; flips--) {
                queries[i] ^= 1L << random.nextInt(Long.SIZE);
            }
            if (i % 4 == 3) {
                queries[i] = random.nextLong();
            }
        }
        return queries;
    }

    private void create(String index) {
        Object mappings = new SampleIndex().mappings();
        var settings = Map.of(
                "number_of_shards", 3, "number_of_replicas", 1, "max_result_window", DOCUMENTS, "refresh_interval", -1);
        client.must("PUT", "/" + index, Json.write(Map.of("settings", settings, "mappings", mappings)));
    }

    /** Refreshed several times on the way, so that a shard has several Lucene leaves. */
    private void index(String index, long[] fingerprints, SegmentLayout layout) {
        for (int from = 0; from < DOCUMENTS; from += BULK) {
            var lines = new StringBuilder();
            for (int i = from; i < from + BULK; i++) {
                lines.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
                lines.append(Json.write(Map.of("simhash", fields(fingerprints[i], layout))))
                        .append('\n');
            }
            bulk(index, lines);
        }
        var deletions = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i += DELETED_EVERY) {
            deletions.append("{\"delete\":{\"_id\":\"").append(i).append("\"}}\n");
        }
        bulk(index, deletions);
    }

    private void bulk(String index, StringBuilder lines) {
        String path = "/" + index + "/_bulk?refresh=true&filter_path=errors";
        assertEquals(false, client.must("POST", path, lines.toString()).at("errors"));
    }

    private static Map<String, Object> fields(long fingerprint, SegmentLayout layout) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("hash", hex(fingerprint));
        fields.put("bits", fingerprint);
        String[] terms = layout.terms(fingerprint);
        for (int i = 0; i < terms.length; i++) {
            fields.put("segment_" + i, terms[i]);
        }
        return fields;
    }

    private List<?> search(String index, long[] queries, int distance) {
        var lines = new StringBuilder();
        for (long query : queries) {
            Map<String, Object> simhash = Map.of("field", "simhash", "hash", hex(query), "max_distance", distance);
            lines.append("{}\n")
                    .append(Json.write(Map.of(
                            "query",
                            Map.of("simhash", simhash),
                            "size",
                            DOCUMENTS,
                            "_source",
                            false,
                            "track_total_hits",
                            true)))
                    .append('\n');
        }
        String path = "/" + index + "/_msearch?filter_path=responses.error,responses.hits.total,"
                + "responses.hits.hits._id,responses.hits.hits._score";
        return (List<?>) client.must("POST", path, lines.toString()).at("responses");
    }

    private static void assertExact(long[] fingerprints, long query, int distance, Object answer) {
        int[] expected = new int[DOCUMENTS];
        int[] found = new int[DOCUMENTS];
        Arrays.fill(expected, -1);
        Arrays.fill(found, -1);
        int count = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            int bits = Long.bitCount(fingerprints[i] ^ query);
            if (bits <= distance && i % DELETED_EVERY != 0) {
                expected[i] = bits;
                count++;
            }
        }
        Object hits = Json.at(answer, "hits.hits");
        for (Object hit : hits == null ? List.of() : (List<?>) hits) {
            double score = ((Number) Json.at(hit, "_score")).doubleValue();
            found[Integer.parseInt((String) Json.at(hit, "_id"))] = (int) Math.round((1 - score) * Long.SIZE);
        }
        String claim = hex(query) + " within " + distance + ", distance per document, -1 for none";
        assertArrayEquals(expected, found, claim);
        assertEquals(count, Json.at(answer, "hits.total.value"), claim);
    }

    private static String hex(long fingerprint) {
        return HexFormat.of().toHexDigits(fingerprint);
    }
}
