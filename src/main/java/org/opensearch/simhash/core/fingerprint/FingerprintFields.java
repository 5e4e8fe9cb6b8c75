/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

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

    /** Of an image, 0 to 100: how much there is to tell it by. */
    public static final String QUALITY = "quality";

    public static final String SEGMENT = "segment_";

    /** The field of hashes of 256 bits, of the type {@code binary}. */
    public static final String BITS_256 = "bits_256";

    private static final String[] SEGMENTS = IntStream.range(0, SegmentLayout.MAX_OF_WORDS)
            .mapToObj(i -> SEGMENT + i)
            .toArray(String[]::new);

    private FingerprintFields() {}

    /** @param i less than {@link SegmentLayout#MAX_OF_WORDS} */
    public static String segment(int i) {
        return SEGMENTS[i];
    }

    /** The field of a hash, by its length: 64 or 256. */
    public static String bits(int length) {
        return length == Long.SIZE ? BITS : BITS_256;
    }

    /** All fields that the object may have. */
    public static Stream<String> all() {
        return Stream.concat(Stream.of(HASH, BITS, BITS_256, DIGEST, FEATURES, SCHEME, QUALITY), Stream.of(SEGMENTS));
    }

    /** The object to store; without bits, also without hash and segments. A text without words gets no digest. */
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

    /** The object to store for a given hash of more than 64 bits. */
    public static Map<String, Object> ofHash(LongHash hash, String scheme, SegmentLayout layout) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(HASH, hash.toHex());
        fields.put(bits(hash.length()), hash.toBase64());
        putSegments(layout.terms(hash), fields);
        fields.put(SCHEME, scheme);
        return fields;
    }

    private static void putBits(long bits, SegmentLayout layout, Map<String, Object> fields) {
        fields.put(HASH, Fingerprint.toHex(bits));
        fields.put(BITS, bits);
        putSegments(layout.terms(bits), fields);
    }

    private static void putSegments(String[] terms, Map<String, Object> fields) {
        for (int i = 0; i < terms.length; i++) {
            fields.put(segment(i), terms[i]);
        }
    }
}
