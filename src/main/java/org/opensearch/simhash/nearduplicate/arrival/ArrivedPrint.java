/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import java.util.Map;
import org.opensearch.simhash.fingerprint.SketchKind;

/**
 * What a document is compared by: a fingerprint or a sketch, and a digest. Two prints have a distance: the number of bits, or of
 * components, in which they differ. Immutable.
 */
public sealed interface ArrivedPrint permits ArrivedFingerprint, ArrivedSketch {

    /** A distance above all others. */
    int INCOMPARABLE = Integer.MAX_VALUE;

    /**
     * Reads the print of a document; null if it has none.
     *
     * @param field path of the object that the processor writes
     * @throws IllegalArgumentException naming the field, the rule and the value
     */
    static ArrivedPrint read(SketchKind kind, Map<String, Object> document, String field) {
        WrittenPrint written = WrittenPrint.of(kind, document, field);
        if (written == null) {
            return null;
        }
        return kind == SketchKind.MINHASH ? ArrivedSketch.read(written) : ArrivedFingerprint.read(written);
    }

    /** Path of the object. Only prints of one field are compared. */
    String field();

    /** Null if unknown. */
    ArrivedDigest digest();

    /** The recipe's id; null if unknown. */
    String scheme();

    /** Whether it has more than a digest. */
    boolean isWhole();

    /** The distance, or {@link #INCOMPARABLE}. It is 0 for equal digests. */
    int distance(ArrivedPrint other);

    /** The largest distance of a near-duplicate. */
    int maxDistance(Criteria criteria);

    /** The score that the query gives a distance. */
    float score(int distance);

    /** The distance of a score. */
    int distance(float score);

    default boolean hasDigest() {
        return digest() != null;
    }

    /** Whether the digests are known and equal. */
    default boolean hasDigestOf(ArrivedPrint other) {
        return digest() != null && digest().equals(other.digest());
    }

    /** Whether it can be compared with prints of a scheme, beyond digests. */
    default boolean suits(String otherScheme) {
        return scheme() == null || scheme().equals(otherScheme);
    }
}
