/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The fields of a fingerprint in a document: an object below the processor's target field. */
public final class FingerprintFields {

    public static final String DEFAULT_OBJECT = "simhash";

    public static final String HASH = "hash";
    public static final String BITS = "bits";
    public static final String DIGEST = "digest";
    public static final String FEATURES = "features";
    public static final String SCHEME = "scheme";

    /** Longest scheme, in characters: that of a given hash. */
    public static final int SCHEME_LENGTH = 64;

    public static final String SEGMENT = "segment_";

    private static final String[] SEGMENTS =
            IntStream.range(0, SegmentLayout.MAX).mapToObj(i -> SEGMENT + i).toArray(String[]::new);

    private FingerprintFields() {}

    /** @param i less than {@link SegmentLayout#MAX} */
    public static String segment(int i) {
        return SEGMENTS[i];
    }

    /** All fields that the object may have. */
    public static Stream<String> all() {
        return Stream.concat(Stream.of(HASH, BITS, DIGEST, FEATURES, SCHEME), Stream.of(SEGMENTS));
    }

    /**
     * The object to store; without bits, also without hash and segments. A text without words gets no digest: it is a
     * duplicate of nothing.
     */
    public static Map<String, Object> of(Fingerprint fingerprint, SegmentLayout layout) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fingerprint.bits().ifPresent(bits -> putBits(bits, layout, fields));
        if (fingerprint.isOfWords()) {
            fields.put(DIGEST, fingerprint.digest());
        }
        fields.put(FEATURES, fingerprint.features());
        fields.put(SCHEME, fingerprint.scheme());
        return fields;
    }

    /** The object to store for given bits, without digest and number of features. */
    public static Map<String, Object> ofBits(long bits, String scheme, SegmentLayout layout) {
        Map<String, Object> fields = new LinkedHashMap<>();
        putBits(bits, layout, fields);
        fields.put(SCHEME, scheme);
        return fields;
    }

    private static void putBits(long bits, SegmentLayout layout, Map<String, Object> fields) {
        fields.put(HASH, Fingerprint.toHex(bits));
        fields.put(BITS, bits);
        String[] terms = layout.terms(bits);
        for (int i = 0; i < terms.length; i++) {
            fields.put(segment(i), terms[i]);
        }
    }
}
