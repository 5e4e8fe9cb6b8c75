/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.match.Target;

/**
 * The fingerprint in a document, read strictly: exactly what the {@code simhash} processor writes.
 *
 * @param field path of the fingerprint object; only fingerprints of one field are compared
 * @param target for the query; null if the document has no fingerprint
 * @param digestHigh first half of the digest, or 0
 * @param digestLow second half of the digest, or 0
 */
public record ArrivedFingerprint(String field, Target target, long digestHigh, long digestLow) {

    public static final int INCOMPARABLE = Long.SIZE + 1;

    /** For a document without a fingerprint. It is near no other. */
    public static ArrivedFingerprint none(String field) {
        return new ArrivedFingerprint(field, null, 0, 0);
    }

    /** @param target with valid digest and bits */
    public static ArrivedFingerprint of(String field, Target target) {
        String digest = target.digest();
        return digest == null
                ? new ArrivedFingerprint(field, target, 0, 0)
                : new ArrivedFingerprint(
                        field,
                        target,
                        HexFormat.fromHexDigitsToLong(digest, 0, 16),
                        HexFormat.fromHexDigitsToLong(digest, 16, Fingerprint.DIGEST_LENGTH));
    }

    /**
     * Reads the fingerprint of a document; null if it has none.
     *
     * @param field path of the fingerprint object
     * @throws IllegalArgumentException naming the field, the rule and the value
     */
    public static ArrivedFingerprint read(Map<String, Object> document, String field) {
        List<Object> values = DocumentValues.objectsAt(field, document);
        if (values.isEmpty()) {
            return null;
        }
        Object value = values.size() == 1 ? values.getFirst() : values;
        if (value instanceof Map<?, ?> fields) {
            OptionalLong bits = bits(field, fields);
            String digest = digest(field, fields);
            return bits.isEmpty() && digest == null ? null : of(field, new Target(bits, digest, scheme(field, fields)));
        }
        throw new IllegalArgumentException("[" + field
                + "] must be the object that the [simhash] processor writes, got: "
                + value.getClass().getSimpleName());
    }

    /** Number of differing bits; 0 for equal digests; {@link #INCOMPARABLE} if neither can be compared. */
    public int distance(ArrivedFingerprint other) {
        if (target.digest() != null && target.digest().equals(other.target.digest())) {
            return 0;
        }
        boolean sameScheme = target.scheme() == null || target.scheme().equals(other.target.scheme());
        return sameScheme && target.bits().isPresent() && other.target.bits().isPresent()
                ? Fingerprint.distance(
                        target.bits().getAsLong(), other.target.bits().getAsLong())
                : INCOMPARABLE;
    }

    public boolean hasBits() {
        return target != null && target.bits().isPresent();
    }

    public boolean hasDigest() {
        return target != null && target.digest() != null;
    }

    /** The scheme, or null if unknown. */
    public String scheme() {
        return target == null ? null : target.scheme();
    }

    public long bits() {
        return hasBits() ? target.bits().getAsLong() : 0;
    }

    private static OptionalLong bits(String field, Map<?, ?> fields) {
        String hash = text(field, FingerprintFields.HASH, fields);
        if (hash != null) {
            try {
                return OptionalLong.of(Fingerprint.fromHex(hash));
            } catch (IllegalArgumentException e) {
                throw wrong(field, FingerprintFields.HASH, "must be 16 lowercase hex digits", hash);
            }
        }
        Object number = fields.get(FingerprintFields.BITS);
        if (number == null) {
            return OptionalLong.empty();
        }
        if (number instanceof Long || number instanceof Integer) {
            return OptionalLong.of(((Number) number).longValue());
        }
        throw wrong(field, FingerprintFields.BITS, "must be a whole number of 64 bits", number);
    }

    private static String digest(String field, Map<?, ?> fields) {
        String digest = text(field, FingerprintFields.DIGEST, fields);
        if (digest == null || Fingerprint.isHex(digest, Fingerprint.DIGEST_LENGTH)) {
            return digest;
        }
        throw wrong(field, FingerprintFields.DIGEST, "must be 32 lowercase hex digits", digest);
    }

    /** The length is bounded because the window keeps schemes; equal ones share a string. */
    private static String scheme(String field, Map<?, ?> fields) {
        String scheme = text(field, FingerprintFields.SCHEME, fields);
        if (scheme == null || scheme.length() <= FingerprintFields.SCHEME_LENGTH) {
            return scheme;
        }
        String rule = "must have at most " + FingerprintFields.SCHEME_LENGTH + " characters";
        throw wrong(field, FingerprintFields.SCHEME, rule, scheme.length() + " characters");
    }

    private static String text(String field, String part, Map<?, ?> fields) {
        Object value = fields.get(part);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw wrong(field, part, "must be a string", value);
    }

    private static IllegalArgumentException wrong(String field, String part, String rule, Object value) {
        return new IllegalArgumentException("[" + field + "." + part + "] " + rule + ", got: " + value);
    }
}
