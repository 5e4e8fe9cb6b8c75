/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Json;

/** A way to ask a node what is within some bits of a fingerprint. */
enum SearchForm {
    /** Asks for nothing: what the way to the node and back costs any search. */
    NOTHING("match_none", false) {
        @Override
        Map<String, Object> query(long fingerprint, int distance) {
            return Map.of("match_none", Map.of());
        }
    },
    /** This plugin. */
    SIMHASH("simhash query", false) {
        @Override
        Map<String, Object> query(long fingerprint, int distance) {
            return Map.of("simhash", Map.of("field", "simhash", "hash", hex(fingerprint), "max_distance", distance));
        }
    },
    /** This plugin, for who wants the nearest and no total: what cannot enter the page is not looked up. */
    TOP("simhash query, no total", false) {
        @Override
        Map<String, Object> query(long fingerprint, int distance) {
            return SIMHASH.query(fingerprint, distance);
        }

        @Override
        String body(long fingerprint, int distance) {
            var query = query(fingerprint, distance);
            return Json.write(Map.of("_source", false, "track_total_hits", false, "query", query));
        }
    },
    /** The least that finding a document by a term costs: equal fingerprints only, whatever the distance. */
    TERM("term query of hash", false) {
        @Override
        Map<String, Object> query(long fingerprint, int distance) {
            return Map.of("term", Map.of("simhash.hash", hex(fingerprint)));
        }
    },
    /**
     * Without a plugin: documents that share a segment, or nearly, checked by a script. To miss nothing the terms have to
     * cover what is left of the distance when it is dealt out over four segments: 4 terms at distance 3, 68 at 7, 428 at 10.
     */
    RECIPE("terms + script", false) {
        @Override
        Map<String, Object> query(long fingerprint, int distance) {
            List<Object> segments = new ArrayList<>();
            for (int segment = 0; segment < SEGMENTS; segment++) {
                int radius = distance / SEGMENTS - (segment <= distance % SEGMENTS ? 0 : 1);
                if (radius >= 0) {
                    int value = (int) (fingerprint >>> ((SEGMENTS - 1 - segment) * SEGMENT_BITS)) & SEGMENT_MASK;
                    segments.add(Map.of("terms", Map.of("simhash.segment_" + segment, terms(value, radius))));
                }
            }
            Object near = Map.of("script", Map.of("script", script(NEAR, fingerprint, distance)));
            return Map.of("bool", Map.of("filter", List.of(Map.of("bool", Map.of("should", segments)), near)));
        }
    },
    /** Without a plugin and without terms: a script scores every document. */
    SCRIPT_SCAN("script_score scan", true) {
        @Override
        Map<String, Object> query(long fingerprint, int distance) {
            return scored(script(SIMILARITY, fingerprint, distance), 1 - distance / 64.0);
        }
    },
    /** The k-NN plugin scores every document by its own script. */
    KNN_SCRIPT("k-NN hammingbit script", true) {
        @Override
        Map<String, Object> query(long fingerprint, int distance) {
            var params = Map.of("field", "simhash.bits", "query_value", fingerprint, "space_type", "hammingbit");
            // A score is 1 / (1 + distance), as a float.
            return scored(Map.of("lang", "knn", "source", "knn_score", "params", params), 1 / (1.5 + distance));
        }
    },
    /**
     * The k-NN plugin's graph on Lucene: bits as a vector of 64 bytes, whose squared distance is the number of bits. The
     * nearest {@value #NEAREST}, of which those within the distance count: its search by distance finds fewer.
     */
    KNN_GRAPH("k-NN Lucene HNSW", false) {
        @Override
        Map<String, Object> query(long fingerprint, int distance) {
            Object nearest = Map.of("knn", Map.of("vector", Map.of("vector", vector(fingerprint), "k", NEAREST)));
            return Map.of("function_score", Map.of("query", nearest, "min_score", 1 / (1.5 + distance)));
        }
    };

    private static final int NEAREST = 100;
    private static final int SEGMENTS = 4;
    private static final int SEGMENT_BITS = 16;
    private static final int SEGMENT_MASK = 0xFFFF;
    private static final String BITS = "Long.bitCount(doc['simhash.bits'].value ^ params.bits)";
    private static final String NEAR = BITS + " <= params.distance";
    private static final String SIMILARITY = "1 - " + BITS + " / 64.0";

    private final String label;
    private final boolean visitsAll;

    SearchForm(String label, boolean visitsAll) {
        this.label = label;
        this.visitsAll = visitsAll;
    }

    abstract Map<String, Object> query(long fingerprint, int distance);

    /** A search request as users send it: ten hits, the total up to 10,000. */
    String body(long fingerprint, int distance) {
        return Json.write(Map.of("_source", false, "query", query(fingerprint, distance)));
    }

    /** Whether its cost grows with the index whatever the fingerprints: such are asked less often. */
    boolean visitsAll() {
        return visitsAll;
    }

    @Override
    public String toString() {
        return label;
    }

    static String hex(long fingerprint) {
        return HexFormat.of().toHexDigits(fingerprint);
    }

    static List<Integer> vector(long fingerprint) {
        List<Integer> vector = new ArrayList<>();
        for (int bit = 0; bit < Long.SIZE; bit++) {
            vector.add((int) ((fingerprint >>> bit) & 1));
        }
        return vector;
    }

    private static List<String> terms(int value, int radius) {
        List<String> terms = new ArrayList<>();
        for (int flips = 0; flips <= SEGMENT_MASK; flips++) {
            if (Integer.bitCount(flips) <= radius) {
                terms.add(HexFormat.of().toHexDigits((short) (value ^ flips)));
            }
        }
        return terms;
    }

    private static Map<String, Object> script(String source, long fingerprint, int distance) {
        return Map.of("source", source, "params", Map.of("bits", fingerprint, "distance", distance));
    }

    private static Map<String, Object> scored(Map<String, Object> script, double minScore) {
        return Map.of(
                "script_score",
                Map.of("query", Map.of("match_all", Map.of()), "script", script, "min_score", minScore));
    }
}
