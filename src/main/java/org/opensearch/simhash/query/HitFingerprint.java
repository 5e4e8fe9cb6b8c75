/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import java.util.Map;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.fingerprint.FingerprintFields;

/**
 * The fingerprints of a hit, as they travel from its shard: a field of the hit that no mapping has.
 *
 * @param bits one for each fingerprint, none for texts too short to have one
 * @param digests of the texts
 * @param schemes that made them
 */
public record HitFingerprint(List<Long> bits, List<String> digests, List<String> schemes) {

    private static final HitFingerprint NONE = new HitFingerprint(List.of(), List.of(), List.of());
    private static final String SUFFIX = "._fingerprint";
    private static final String ERROR = "error";

    /** The field of hits that carries the fingerprints of an object such as {@code simhash}. */
    public static String fieldFor(String object) {
        return object + SUFFIX;
    }

    /** The object whose fingerprints a field carries; null for any other field. */
    static String objectOf(String field) {
        return field.endsWith(SUFFIX) ? field.substring(0, field.length() - SUFFIX.length()) : null;
    }

    /** Whether a hit has nothing to be compared by. */
    public boolean isNone() {
        return bits.isEmpty() && digests.isEmpty() && schemes.isEmpty();
    }

    /** Whether there is a fingerprint of a text that is too short for bits, or there are several of them. */
    boolean isDigestOnly() {
        return bits.isEmpty() && schemes.isEmpty() == false;
    }

    /** In place of fingerprints: why those of an index cannot be read. */
    static DocumentField unreadable(String name, String reason) {
        return new DocumentField(name, List.of(Map.of(ERROR, reason)));
    }

    /** Why the fingerprints of a hit cannot be read from its index; null when they can. */
    public static String whyUnreadable(SearchHit hit, String field) {
        Object reason = parts(hit, field).get(ERROR);
        return reason == null ? null : reason.toString();
    }

    /** What a hit carries in {@code field}; a hit without that, or one that is unreadable, has no fingerprint. */
    public static HitFingerprint of(SearchHit hit, String field) {
        Map<?, ?> parts = parts(hit, field);
        if (parts.get(FingerprintFields.BITS) == null) {
            return NONE;
        }
        return new HitFingerprint(
                values(parts.get(FingerprintFields.BITS), Long.class),
                values(parts.get(FingerprintFields.DIGEST), String.class),
                values(parts.get(FingerprintFields.SCHEME), String.class));
    }

    /**
     * How many fingerprints are compared: each as one of each scheme, for which of several made it is not known; at least one for
     * each digest.
     */
    public long size() {
        return size(bits, digests, schemes);
    }

    private static long size(List<?> bits, List<?> digests, List<?> schemes) {
        return Math.max(digests.size(), (long) bits.size() * Math.max(1, schemes.size()));
    }

    /** The {@link #size} of what a hit carries in {@code field}. */
    public static long count(SearchHit hit, String field) {
        Map<?, ?> parts = parts(hit, field);
        return parts.get(FingerprintFields.BITS) instanceof List<?> bits
                        && parts.get(FingerprintFields.DIGEST) instanceof List<?> digests
                        && parts.get(FingerprintFields.SCHEME) instanceof List<?> schemes
                ? size(bits, digests, schemes)
                : 0;
    }

    private static Map<?, ?> parts(SearchHit hit, String field) {
        DocumentField values = hit.field(field);
        return values != null && values.getValue() instanceof Map<?, ?> parts ? parts : Map.of();
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
