/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A document's fingerprint as a node stored it, and the plain way to compare it.
 *
 * @param hash 16 hex digits
 * @param scheme the recipe that made it
 */
record Fingerprint(String hash, String scheme) {

    /** The fingerprints of an index of at most 10,000 documents, all of them long enough to have one. */
    static Map<String, Fingerprint> stored(RestClient client, String index) {
        String all = "{\"size\":10000,\"_source\":[\"simhash.hash\",\"simhash.scheme\"]}";
        Map<String, Fingerprint> stored = new LinkedHashMap<>();
        for (var hit : client.must("POST", "/" + index + "/_search", all).hits()) {
            String hash = (String) Json.at(hit, "_source.simhash.hash");
            stored.put((String) hit.get("_id"), new Fingerprint(hash, (String) Json.at(hit, "_source.simhash.scheme")));
        }
        return stored;
    }

    /** Number of bits in which two fingerprints differ. */
    int distance(Fingerprint other) {
        return Long.bitCount(HexFormat.fromHexDigitsToLong(hash) ^ HexFormat.fromHexDigitsToLong(other.hash));
    }

    /** Those within {@code maxDistance}, with their distance: each one compared. */
    Map<String, Integer> near(Map<String, Fingerprint> stored, int maxDistance) {
        Map<String, Integer> near = new LinkedHashMap<>();
        stored.forEach((id, other) -> {
            if (distance(other) <= maxDistance) {
                near.put(id, distance(other));
            }
        });
        return near;
    }
}
