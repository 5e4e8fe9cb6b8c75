/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.PassageFields;
import org.opensearch.simhash.core.fingerprint.SketchFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TagFields;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;

/** The prints of a hit, of one kind. They travel from the shard in a field that no mapping has. */
public sealed interface HitPrints {

    /**
     * @param bits one per fingerprint of 64 bits; none for a text that is too short for bits
     * @param hashes one per hash of 256 bits
     */
    record HitFingerprint(List<Long> bits, List<LongHash> hashes, List<String> digests, List<String> schemes)
            implements HitPrints {

        public HitFingerprint(List<Long> bits, List<String> digests, List<String> schemes) {
            this(bits, List.of(), digests, schemes);
        }

        /**
         * How many fingerprints are compared. Nothing tells which of several schemes made which bits, so that each is compared
         * with each.
         */
        public long size() {
            long values = (long) bits.size() + hashes.size();
            return Math.max(digests.size(), values * Math.max(1, schemes.size()));
        }
    }

    /** @param sketches none for a text that is too short for one */
    record HitSketch(List<Sketch> sketches, List<String> digests, List<String> schemes) implements HitPrints {}

    /** @param terms of the passages, as numbers; none for a text that is shorter than a run */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record HitPassages(long[] terms, List<String> schemes) implements HitPrints {

        @Override
        public List<String> digests() {
            return List.of();
        }
    }

    String ERROR = "error";

    String PAIR_KEYS = "pair_keys";

    String PAIR_PLACES = "pair_places";

    /** What is compared. */
    default List<?> values() {
        return switch (this) {
            case HitFingerprint hit -> hit.bits.isEmpty() ? hit.hashes : hit.bits;
            case HitSketch hit -> hit.sketches;
            case HitPassages hit -> hit.terms.length == 0 ? List.of() : Collections.singletonList(hit.terms);
        };
    }

    List<String> digests();

    List<String> schemes();

    /** The field that carries the prints of an object such as {@code simhash}. */
    static String fieldFor(SketchKind kind, String object) {
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

    static HitPrints none(SketchKind kind) {
        return switch (kind) {
            case SIMHASH -> new HitFingerprint(List.of(), List.of(), List.of());
            case MINHASH -> new HitSketch(List.of(), List.of(), List.of());
            case PASSAGES -> new HitPassages(new long[0], List.of());
        };
    }

    /** A hit without the field, or with an error in it, has no prints. */
    static HitPrints of(SketchKind kind, SearchHit hit, String field) {
        Map<?, ?> parts = parts(hit, field);
        if (parts.containsKey(FingerprintFields.SCHEME) == false) {
            return none(kind);
        }
        List<String> digests = texts(parts.get(FingerprintFields.DIGEST));
        List<String> schemes = texts(parts.get(FingerprintFields.SCHEME));
        return switch (kind) {
            case SIMHASH -> {
                List<?> bits = (List<?>) parts.get(FingerprintFields.BITS);
                yield new HitFingerprint(
                        bits.stream().map(Long.class::cast).toList(),
                        texts(parts.get(FingerprintFields.HASH)).stream()
                                .map(LongHash::fromHex)
                                .toList(),
                        digests,
                        schemes);
            }
            case MINHASH ->
                new HitSketch(
                        texts(parts.get(SketchFields.SKETCH)).stream()
                                .map(Sketch::fromBase64)
                                .toList(),
                        digests,
                        schemes);
            case PASSAGES -> new HitPassages((long[]) parts.get(PassageFields.TERMS), schemes);
        };
    }

    private static List<String> texts(Object values) {
        return ((List<?>) values).stream().map(Object::toString).toList();
    }

    /** Null if they can be read. */
    static String whyUnreadable(SearchHit hit, String field) {
        Object reason = parts(hit, field).get(ERROR);
        return reason == null ? null : reason.toString();
    }

    /** Empty for a hit without the field. */
    private static Map<?, ?> parts(SearchHit hit, String field) {
        DocumentField values = hit.field(field);
        return values != null && values.getValue() instanceof Map<?, ?> parts ? parts : Map.of();
    }

    default boolean isNone() {
        return values().isEmpty() && digests().isEmpty() && schemes().isEmpty();
    }

    /** Whether all are of texts that are too short for more than a digest. */
    default boolean isDigestOnly() {
        return values().isEmpty() && schemes().isEmpty() == false;
    }

    /** In place of prints. */
    static DocumentField unreadable(String name, String reason) {
        return new DocumentField(name, List.of(Map.of(ERROR, reason)));
    }

    /** What decides the conditions on a pair; null if the shard did not tell. */
    static PairValues pairValues(SearchHit hit, String field) {
        Map<?, ?> parts = parts(hit, field);
        if (parts.get(PAIR_KEYS) instanceof List<?> keys && parts.get(PAIR_PLACES) instanceof List<?> places) {
            return new PairValues(
                    keys.stream().map(key -> Objects.toString(key, null)).toList(),
                    places.stream().mapToDouble(place -> (Double) place).toArray());
        }
        return null;
    }

    /** What a hit says of its story in a part of {@link TagFields}; empty if it says nothing. */
    static List<String> said(SearchHit hit, String field, String part) {
        Object values = parts(hit, field).get(part);
        return values == null ? List.of() : texts(values);
    }

    /**
     * @param pair what decides conditions on a pair; null without them
     * @param said what the document says of its story, by part
     */
    default DocumentField toField(String name, PairValues pair, Map<String, List<String>> said) {
        Map<String, Object> parts = switch (this) {
            case HitFingerprint fingerprint ->
                Map.of(
                        FingerprintFields.BITS,
                        fingerprint.bits,
                        FingerprintFields.HASH,
                        fingerprint.hashes.stream().map(LongHash::toHex).toList());
            case HitSketch sketch ->
                Map.of(
                        SketchFields.SKETCH,
                        sketch.sketches.stream().map(Sketch::toBase64).toList());
            case HitPassages passages -> Map.of(PassageFields.TERMS, passages.terms);
        };
        Map<String, Object> all = new HashMap<>(parts);
        all.putAll(said);
        all.put(FingerprintFields.DIGEST, digests());
        all.put(FingerprintFields.SCHEME, schemes());
        if (pair != null) {
            all.put(PAIR_KEYS, pair.keys());
            all.put(PAIR_PLACES, Arrays.stream(pair.places()).boxed().toList());
        }
        return new DocumentField(name, List.of(all));
    }
}
