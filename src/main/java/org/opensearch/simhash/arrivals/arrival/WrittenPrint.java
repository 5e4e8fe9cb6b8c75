/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.DocumentValues;

/** The object of a document in which its print is. */
record WrittenPrint(String field, Map<?, ?> fields) {

    /** Mostly more than the recipes of a cluster. */
    private static final int KNOWN_SCHEMES = 64;

    private static final Map<String, String> SCHEMES = new ConcurrentHashMap<>();

    /** Parts that only the other processor writes. */
    private static final Map<SketchKind, List<String>> OTHERS = Map.of(
            SketchKind.SIMHASH,
            List.of(FingerprintFields.SKETCH, FingerprintFields.BANDS, FingerprintFields.SIZE),
            SketchKind.MINHASH,
            List.of(FingerprintFields.HASH, FingerprintFields.BITS, FingerprintFields.FEATURES),
            SketchKind.PASSAGES,
            List.of(FingerprintFields.HASH, FingerprintFields.BITS, FingerprintFields.SKETCH));

    /**
     * Null if the document has no such object.
     *
     * @param kind whose processor must have written it
     */
    static WrittenPrint of(SketchKind kind, Map<String, Object> document, String field) {
        List<Object> values = DocumentValues.objectsAt(field, document);
        if (values.isEmpty()) {
            return null;
        }
        Object value = values.size() == 1 ? values.getFirst() : values;
        if (value instanceof Map<?, ?> fields) {
            for (String part : OTHERS.get(kind)) {
                if (fields.get(part) != null) {
                    throw wrongObject(kind, field, "an object with [" + part + "]");
                }
            }
            return new WrittenPrint(field, fields);
        }
        throw wrongObject(kind, field, value.getClass().getSimpleName());
    }

    private static IllegalArgumentException wrongObject(SketchKind kind, String field, String got) {
        return new IllegalArgumentException(
                "[" + field + "] must be the object that the [" + kind + "] processor writes, got: " + got);
    }

    String digest() {
        String digest = text(FingerprintFields.DIGEST);
        if (digest == null || Fingerprint.isHex(digest, Fingerprint.DIGEST_LENGTH)) {
            return digest;
        }
        throw wrong(FingerprintFields.DIGEST, "must be 32 lowercase hex digits", digest);
    }

    /** The window keeps it: equal ones are one string. */
    String scheme() {
        String scheme = text(FingerprintFields.SCHEME);
        if (scheme == null) {
            return null;
        }
        if (scheme.length() <= FingerprintFields.SCHEME_LENGTH) {
            if (SCHEMES.size() >= KNOWN_SCHEMES && SCHEMES.containsKey(scheme) == false) {
                SCHEMES.clear();
            }
            return SCHEMES.computeIfAbsent(scheme, same -> same);
        }
        String rule = "must have at most " + FingerprintFields.SCHEME_LENGTH + " characters";
        throw wrong(FingerprintFields.SCHEME, rule, scheme.length() + " characters");
    }

    String text(String part) {
        Object value = fields.get(part);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw wrong(part, "must be a string", value);
    }

    IllegalArgumentException wrong(String part, String rule, Object value) {
        return new IllegalArgumentException("[" + field + "." + part + "] " + rule + ", got: " + value);
    }
}
