/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Json;

/**
 * A document as a node gives it back.
 *
 * @param hash null when the text is too short
 * @param digest null when the text has no words: it is near nothing
 * @param duplicateOf id of the survivor, null for none
 */
record Stored(String id, String text, String hash, String digest, String duplicateOf) {

    /** What {@link #of} reads. */
    static final List<String> SOURCE = List.of("content", "simhash.hash", "simhash.digest", "simhash.duplicate_of");

    static Stored of(Map<String, Object> hit) {
        return new Stored(
                (String) hit.get("_id"),
                (String) Json.at(hit, "_source.content"),
                (String) Json.at(hit, "_source.simhash.hash"),
                (String) Json.at(hit, "_source.simhash.digest"),
                (String) Json.at(hit, "_source.simhash.duplicate_of"));
    }

    /** Bits that differ, more than 64 when there is nothing to compare. */
    int distance(Stored other) {
        if (digest != null && digest.equals(other.digest)) {
            return 0;
        }
        return hash == null || other.hash == null ? Long.SIZE + 1 : Long.bitCount(bits(hash) ^ bits(other.hash));
    }

    /** Bits that differ from a fingerprint, more than 64 without one. */
    int distance(long bits) {
        return hash == null ? Long.SIZE + 1 : Long.bitCount(bits(hash) ^ bits);
    }

    static long bits(String hash) {
        return HexFormat.fromHexDigitsToLong(hash);
    }
}
