/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import java.util.Map;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.fingerprint.FingerprintFields;

/**
 * The fingerprints of a hit. They travel from the shard in a field that no mapping has.
 *
 * @param bits one per fingerprint; none for a text that is too short for bits
 */
public record HitFingerprint(List<Long> bits, List<String> digests, List<String> schemes) {

    public static final HitFingerprint NONE = new HitFingerprint(List.of(), List.of(), List.of());
    private static final HitField FIELD = new HitField("._fingerprint");

    /** The field that carries the fingerprints of an object such as {@code simhash}. */
    public static String fieldFor(String object) {
        return FIELD.of(object);
    }

    /** Null for any other field. */
    static String objectOf(String field) {
        return FIELD.objectOf(field);
    }

    public boolean isNone() {
        return bits.isEmpty() && digests.isEmpty() && schemes.isEmpty();
    }

    /** Whether all fingerprints are of texts that are too short for bits. */
    boolean isDigestOnly() {
        return bits.isEmpty() && schemes.isEmpty() == false;
    }

    /** Null if they can be read. */
    public static String whyUnreadable(SearchHit hit, String field) {
        return HitField.whyUnreadable(hit, field);
    }

    /** A hit without the field, or with an error in it, has no fingerprint. */
    public static HitFingerprint of(SearchHit hit, String field) {
        Map<?, ?> parts = HitField.parts(hit, field);
        if (parts.get(FingerprintFields.BITS) == null) {
            return NONE;
        }
        return new HitFingerprint(
                values(parts.get(FingerprintFields.BITS), Long.class),
                values(parts.get(FingerprintFields.DIGEST), String.class),
                values(parts.get(FingerprintFields.SCHEME), String.class));
    }

    /**
     * How many fingerprints are compared. Nothing tells which of several schemes made which bits, so that each is compared with
     * each.
     */
    public long size() {
        return size(bits, digests, schemes);
    }

    private static long size(List<?> bits, List<?> digests, List<?> schemes) {
        return Math.max(digests.size(), (long) bits.size() * Math.max(1, schemes.size()));
    }

    /** The {@link #size} without an object. */
    public static long count(SearchHit hit, String field) {
        Map<?, ?> parts = HitField.parts(hit, field);
        return parts.get(FingerprintFields.BITS) instanceof List<?> bits
                        && parts.get(FingerprintFields.DIGEST) instanceof List<?> digests
                        && parts.get(FingerprintFields.SCHEME) instanceof List<?> schemes
                ? size(bits, digests, schemes)
                : 0;
    }

    DocumentField toField(String name) {
        return new DocumentField(
                name,
                List.of(Map.of(
                        FingerprintFields.BITS, bits,
                        FingerprintFields.DIGEST, digests,
                        FingerprintFields.SCHEME, schemes)));
    }

    private static <T> List<T> values(Object values, Class<T> type) {
        return ((List<?>) values).stream().map(type::cast).toList();
    }
}
