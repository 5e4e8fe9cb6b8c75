/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import java.util.OptionalLong;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.LongHash;
import org.opensearch.simhash.match.Target;

/**
 * The fingerprint in a document, read strictly: exactly what the {@code simhash} processor writes.
 *
 * @param hasBits false for a text that is too short
 * @param bits 0 if there are none
 */
public record ArrivedFingerprint(String field, boolean hasBits, long bits, ArrivedDigest digest, String scheme)
        implements ArrivedPrint {

    /** For a document without a fingerprint. It is near no other. */
    public static ArrivedFingerprint none(String field) {
        return new ArrivedFingerprint(field, false, 0, null, null);
    }

    /** @param target with valid digest and bits */
    public static ArrivedFingerprint of(String field, Target target) {
        return new ArrivedFingerprint(
                field,
                target.bits().isPresent(),
                target.bits().orElse(0),
                ArrivedDigest.of(target.digest()),
                target.scheme());
    }

    static ArrivedFingerprint read(WrittenPrint written) {
        OptionalLong bits = bits(written);
        String digest = written.digest();
        return bits.isEmpty() && digest == null
                ? null
                : of(written.field(), new Target(bits, digest, written.scheme()));
    }

    @Override
    public Target target() {
        return new Target(
                hasBits ? OptionalLong.of(bits) : OptionalLong.empty(),
                digest == null ? null : digest.toString(),
                scheme);
    }

    @Override
    public boolean isWhole() {
        return hasBits;
    }

    @Override
    public int distance(ArrivedPrint other) {
        if (hasDigestOf(other)) {
            return 0;
        }
        return hasBits
                        && other instanceof ArrivedFingerprint fingerprint
                        && fingerprint.hasBits
                        && suits(other.scheme())
                ? Fingerprint.distance(bits, fingerprint.bits)
                : INCOMPARABLE;
    }

    @Override
    public int maxDistance(Criteria criteria) {
        return criteria.maxDistance();
    }

    @Override
    public float score(int distance) {
        return 1 - distance / (float) Long.SIZE;
    }

    @Override
    public int distance(float score) {
        return Math.round((1 - score) * Long.SIZE);
    }

    private static OptionalLong bits(WrittenPrint written) {
        String hash = written.text(FingerprintFields.HASH);
        if (hash != null) {
            try {
                return OptionalLong.of(Fingerprint.fromHex(hash));
            } catch (IllegalArgumentException e) {
                throw written.wrong(
                        FingerprintFields.HASH,
                        LongHash.isHex(hash)
                                ? "must be a hash of 64 bits, which is all that [near_duplicate] compares"
                                : "must be 16 lowercase hex digits",
                        hash);
            }
        }
        Object number = written.fields().get(FingerprintFields.BITS);
        if (number == null) {
            return OptionalLong.empty();
        }
        if (number instanceof Long || number instanceof Integer) {
            return OptionalLong.of(((Number) number).longValue());
        }
        throw written.wrong(FingerprintFields.BITS, "must be a whole number of 64 bits", number);
    }
}
