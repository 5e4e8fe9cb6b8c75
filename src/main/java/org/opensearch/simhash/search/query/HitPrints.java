/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;

/**
 * The prints of a hit, of one kind. They travel from the shard in a field that no mapping has.
 *
 * @param values what is compared: a {@link Long} or a {@link LongHash} for each fingerprint, a {@link Sketch} for each sketch, or one array
 *     with the terms of the passages as numbers; none for a text that is too short
 */
public record HitPrints(List<?> values, List<String> digests, List<String> schemes) {

    public static final HitPrints NONE = new HitPrints(List.of(), List.of(), List.of());

    private static final String VALUES = "values";
    private static final String ERROR = "error";
    private static final String PAIR_KEYS = "pair_keys";
    private static final String PAIR_PLACES = "pair_places";

    /** How many fingerprints are compared. Nothing tells which of several schemes made which bits, so that each is compared with each. */
    public long size() {
        return Math.max(digests.size(), (long) values.size() * Math.max(1, schemes.size()));
    }

    public long[] terms() {
        return values.isEmpty() ? new long[0] : (long[]) values.getFirst();
    }

    public boolean isNone() {
        return values.isEmpty() && digests.isEmpty() && schemes.isEmpty();
    }

    /** Whether all are of texts that are too short for more than a digest. */
    boolean isDigestOnly() {
        return values.isEmpty() && schemes.isEmpty() == false;
    }

    /** The field that carries the prints of an object such as {@code simhash}. */
    public static String fieldFor(SketchKind kind, String object) {
        return object + suffix(kind);
    }

    /** Null for any other field. */
    static String objectOf(SketchKind kind, String field) {
        String suffix = suffix(kind);
        return field.endsWith(suffix) ? field.substring(0, field.length() - suffix.length()) : null;
    }

    private static String suffix(SketchKind kind) {
        return switch (kind) {
            case SIMHASH -> "._fingerprint";
            case MINHASH -> "._sketch";
            case PASSAGES -> "._passages";
        };
    }

    /** A hit without the field, or with an error in it, has no prints. */
    public static HitPrints of(SearchHit hit, String field) {
        Map<?, ?> parts = parts(hit, field);
        if (parts.containsKey(FingerprintFields.SCHEME) == false) {
            return NONE;
        }
        List<?> values = ((List<?>) parts.get(VALUES))
                .stream()
                        .map(value -> switch (value) {
                            case String hex -> LongHash.fromHex(hex);
                            case byte[] bytes -> new Sketch(bytes);
                            default -> value;
                        })
                        .toList();
        return new HitPrints(
                values, texts(parts.get(FingerprintFields.DIGEST)), texts(parts.get(FingerprintFields.SCHEME)));
    }

    private static List<String> texts(Object values) {
        return ((List<?>) values).stream().map(Object::toString).toList();
    }

    /** Null if they can be read. */
    public static String whyUnreadable(SearchHit hit, String field) {
        Object reason = parts(hit, field).get(ERROR);
        return reason == null ? null : reason.toString();
    }

    /** Empty for a hit without the field. */
    private static Map<?, ?> parts(SearchHit hit, String field) {
        DocumentField values = hit.field(field);
        return values != null && values.getValue() instanceof Map<?, ?> parts ? parts : Map.of();
    }

    /** In place of prints. */
    static DocumentField unreadable(String name, String reason) {
        return new DocumentField(name, List.of(Map.of(ERROR, reason)));
    }

    /** What decides the conditions on a pair; null if the shard did not tell. */
    public static PairValues pairValues(SearchHit hit, String field) {
        Map<?, ?> parts = parts(hit, field);
        if (parts.get(PAIR_KEYS) instanceof List<?> keys && parts.get(PAIR_PLACES) instanceof List<?> places) {
            return new PairValues(
                    keys.stream().map(key -> Objects.toString(key, null)).toList(),
                    places.stream().mapToDouble(place -> (Double) place).toArray());
        }
        return null;
    }

    /** What a hit says of its story in a part of {@link TagFields}; empty if it says nothing. */
    public static List<String> said(SearchHit hit, String field, String part) {
        Object values = parts(hit, field).get(part);
        return values == null ? List.of() : texts(values);
    }

    /**
     * @param pair what decides conditions on a pair; null without them
     * @param said what the document says of its story, by part
     */
    DocumentField toField(String name, PairValues pair, Map<String, List<String>> said) {
        Map<String, Object> parts = new HashMap<>(said);
        List<?> written = values.stream()
                .map(value -> switch (value) {
                    case LongHash hash -> hash.toHex();
                    case Sketch sketch -> sketch.bytes();
                    default -> value;
                })
                .toList();
        parts.put(VALUES, written);
        parts.put(FingerprintFields.DIGEST, digests);
        parts.put(FingerprintFields.SCHEME, schemes);
        if (pair != null) {
            parts.put(PAIR_KEYS, pair.keys());
            parts.put(PAIR_PLACES, Arrays.stream(pair.places()).boxed().toList());
        }
        return new DocumentField(name, List.of(parts));
    }
}
