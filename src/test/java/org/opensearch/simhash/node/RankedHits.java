/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The hits of a search by rank, and the plain way to take the near-duplicates out: each hit is compared with each that stays
 * above it, by the fingerprint in its source.
 */
record RankedHits(List<Map<String, Object>> hits) {

    /** The first {@code window} of them. */
    RankedHits first(int window) {
        return new RankedHits(hits.subList(0, Math.min(window, hits.size())));
    }

    /** The ids that stay, by rank, each with the ids that it hides and their distances. */
    Map<String, Map<String, Integer>> collapse(int maxDistance) {
        List<Map<String, Object>> kept = new ArrayList<>();
        Map<String, Map<String, Integer>> collapsed = new LinkedHashMap<>();
        for (Map<String, Object> hit : hits) {
            Map<String, Object> by = kept.stream()
                    .filter(better -> distance(better, hit) <= maxDistance)
                    .findFirst()
                    .orElse(null);
            if (by == null) {
                kept.add(hit);
                collapsed.put((String) hit.get("_id"), new LinkedHashMap<>());
            } else {
                collapsed.get(by.get("_id")).put((String) hit.get("_id"), distance(by, hit));
            }
        }
        return collapsed;
    }

    /** More than any when the two cannot be compared. */
    private static int distance(Map<String, Object> a, Map<String, Object> b) {
        if (part(a, "digest") == null || part(b, "digest") == null) {
            return Integer.MAX_VALUE;
        }
        if (part(a, "digest").equals(part(b, "digest"))) {
            return 0;
        }
        boolean comparable = part(a, "hash") != null
                && part(b, "hash") != null
                && part(a, "scheme").equals(part(b, "scheme"));
        return comparable
                ? Long.bitCount(
                        HexFormat.fromHexDigitsToLong(part(a, "hash")) ^ HexFormat.fromHexDigitsToLong(part(b, "hash")))
                : Integer.MAX_VALUE;
    }

    private static String part(Map<String, Object> hit, String name) {
        return (String) Json.at(hit, "_source.simhash." + name);
    }
}
