/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.List;
import java.util.Map;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.match.Print;

/**
 * What a document is compared by: a fingerprint or a sketch, and a digest; or terms of passages. Two prints have a distance: the
 * number of bits, or of components, in which they differ. Immutable.
 */
public sealed interface ArrivedPrint permits ArrivedFingerprint, ArrivedSketch, ArrivedPassages {

    /** A distance above all others. */
    int INCOMPARABLE = Integer.MAX_VALUE;

    /**
     * Reads the print of a document; null if it has none.
     *
     * @throws IllegalArgumentException naming the field, the rule and the value
     */
    static ArrivedPrint read(SketchKind kind, Map<String, Object> document, String field) {
        WrittenPrint written = WrittenPrint.of(kind, document, field);
        if (written == null) {
            return null;
        }
        return switch (kind) {
            case SIMHASH -> ArrivedFingerprint.read(written);
            case MINHASH -> ArrivedSketch.read(written);
            case PASSAGES -> ArrivedPassages.read(written);
        };
    }

    static boolean areSeveral(Map<String, Object> document, String field) {
        List<Object> objects = DocumentValues.objectsAt(field, document);
        return objects.size() > 1 && objects.stream().allMatch(Map.class::isInstance);
    }

    /** Whether a document has what the processors write for a text without words. */
    static boolean isOfNoWords(Map<String, Object> document, String field) {
        return DocumentValues.objectsAt(field, document).stream()
                .anyMatch(object -> object instanceof Map<?, ?> parts
                        && parts.get(FingerprintFields.SCHEME) != null
                        && parts.get(FingerprintFields.DIGEST) == null
                        && FingerprintFields.areOfNoWords(parts));
    }

    /** Path of the object. Only prints of one field are compared. */
    String field();

    /** Null if unknown. */
    ArrivedDigest digest();

    /** The recipe's id; null if unknown. */
    String scheme();

    boolean isWhole();

    Print target();

    /** The distance, or {@link #INCOMPARABLE}. It is 0 for equal digests. */
    int distance(ArrivedPrint other);

    int maxDistance(Criteria criteria);

    /** The score that the query gives a distance. */
    float score(int distance);

    int distance(float score);

    default boolean hasDigest() {
        return digest() != null;
    }

    default boolean hasDigestOf(ArrivedPrint other) {
        return digest() != null && digest().equals(other.digest());
    }

    /** Whether it can be compared with prints of a scheme, beyond digests. */
    default boolean suits(String otherScheme) {
        return scheme() == null || scheme().equals(otherScheme);
    }
}
