/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.OptionalLong;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.search.match.Print.Target;

/**
 * The fingerprint in a document, read strictly: exactly what the {@code simhash} processor writes.
 *
 * @param hasBits false for a text that is too short, and beside a longer hash
 * @param bits 0 if there are none
 * @param hash the hash of 256 bits in place of a fingerprint, or null
 */
public record ArrivedFingerprint(
        String field, boolean hasBits, long bits, LongHash hash, ArrivedDigest digest, String scheme)
        implements ArrivedPrint {

    /** For a document without a fingerprint. It is near no other. */
    public static ArrivedFingerprint none(String field) {
        return new ArrivedFingerprint(field, false, 0, null, null, null);
    }

    /** @param target with valid digest and bits */
    public static ArrivedFingerprint of(String field, Target target) {
        return new ArrivedFingerprint(
                field,
                target.bits().isPresent(),
                target.bits().orElse(0),
                target.hash(),
                ArrivedDigest.of(target.digest()),
                target.scheme());
    }

    static ArrivedFingerprint read(WrittenPrint written) {
        LongHash hash = hash(written);
        OptionalLong bits = hash == null ? bits(written) : OptionalLong.empty();
        String digest = written.digest();
        return bits.isEmpty() && hash == null && digest == null
                ? null
                : of(written.field(), new Target(bits, hash, digest, written.scheme()));
    }

    @Override
    public Target target() {
        return new Target(
                hasBits ? OptionalLong.of(bits) : OptionalLong.empty(),
                hash,
                digest == null ? null : digest.toString(),
                scheme);
    }

    @Override
    public boolean isWhole() {
        return hasBits || hash != null;
    }

    /** Bits of the fingerprint: 64 or 256. */
    public int length() {
        return hash == null ? Long.SIZE : hash.length();
    }

    @Override
    public int distance(ArrivedPrint other) {
        if (hasDigestOf(other)) {
            return 0;
        }
        if (other instanceof ArrivedFingerprint fingerprint && suits(other.scheme())) {
            return hash != null
                    ? fingerprint.hash == null ? INCOMPARABLE : hash.distance(fingerprint.hash)
                    : hasBits && fingerprint.hasBits ? Fingerprint.distance(bits, fingerprint.bits) : INCOMPARABLE;
        }
        return INCOMPARABLE;
    }

    @Override
    public int maxDistance(Criteria criteria) {
        return criteria.maxDistance();
    }

    @Override
    public float score(int distance) {
        return 1 - distance / (float) length();
    }

    @Override
    public int distance(float score) {
        return Math.round((1 - score) * length());
    }

    /** Null for one of 64 bits, or none. */
    private static LongHash hash(WrittenPrint written) {
        String hash = written.text(FingerprintFields.HASH);
        return hash != null && LongHash.isHex(hash) ? LongHash.fromHex(hash) : null;
    }

    private static OptionalLong bits(WrittenPrint written) {
        String hash = written.text(FingerprintFields.HASH);
        if (hash != null) {
            try {
                return OptionalLong.of(Fingerprint.fromHex(hash));
            } catch (IllegalArgumentException e) {
                throw written.wrong(FingerprintFields.HASH, "must be 16 or 64 lowercase hex digits", hash);
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
