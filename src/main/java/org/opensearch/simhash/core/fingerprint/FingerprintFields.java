/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.SketchedText;
import org.opensearch.simhash.core.sketch.BandLayout;

/**
 * The fields of a fingerprint, a sketch or passages in a document, of its tag, and of what people decided about it: an object below
 * the processor's target field.
 */
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

    /** Of a sketch. */
    public static final String BANDS = "bands";

    public static final String SKETCH = "sketch";
    public static final String SIZE = "size";

    /** Of passages. */
    public static final String TERMS = "terms";

    /** The id of its group, which all members share. It is no document's id. */
    public static final String GROUP = "group";

    /** Characters of a new id of a group. */
    public static final int GROUP_LENGTH = 20;

    /** The id of the survivor, in duplicates only. */
    public static final String DUPLICATE_OF = "duplicate_of";

    /** The ids of documents from which people keep it apart. */
    public static final String APART = "apart";

    public static final List<String> TAG = List.of(GROUP, DUPLICATE_OF);

    /** What a write of the same text keeps: the tag, and what people decided. */
    public static final List<String> KEPT = List.of(GROUP, DUPLICATE_OF, APART);

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

    /** All fields that the object of a sketch may have. */
    public static Stream<String> allOfSketch() {
        return Stream.of(BANDS, SKETCH, DIGEST, SIZE, SCHEME);
    }

    /** All fields that the object may have. */
    public static Stream<String> all() {
        return Stream.concat(Stream.of(HASH, BITS, BITS_256, DIGEST, FEATURES, SCHEME, QUALITY), Stream.of(SEGMENTS));
    }

    /** The object to store; see {@link #put(Fingerprint, SegmentLayout, Map)}. */
    public static Map<String, Object> of(Fingerprint fingerprint, SegmentLayout layout) {
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fingerprint, layout, fields);
        return fields;
    }

    /** Without bits, also without hash and segments. A text without words gets no digest. */
    public static void put(Fingerprint fingerprint, SegmentLayout layout, Map<String, Object> fields) {
        fingerprint.bits().ifPresent(bits -> putBits(bits, layout, fields));
        if (fingerprint.isOfWords()) {
            fields.put(DIGEST, fingerprint.digest());
        }
        fields.put(FEATURES, fingerprint.features());
        fields.put(SCHEME, fingerprint.scheme());
    }

    /** The object to store; without sketch, also without bands. A text without words gets no digest. */
    public static Map<String, Object> of(SketchedText text, BandLayout layout) {
        Map<String, Object> fields = new LinkedHashMap<>();
        text.sketch().ifPresent(sketch -> {
            fields.put(BANDS, List.of(layout.terms(sketch)));
            fields.put(SKETCH, sketch.toBase64());
        });
        if (text.size() > 0) {
            fields.put(DIGEST, text.digest());
        }
        fields.put(SIZE, text.size());
        fields.put(SCHEME, text.scheme());
        return fields;
    }

    /** Whether an object says that its text has no words. */
    public static boolean areOfNoWords(Map<?, ?> fields) {
        return Integer.valueOf(0).equals(fields.get(FEATURES))
                || Integer.valueOf(0).equals(fields.get(SIZE));
    }

    /** The object to store. A text that is shorter than a run has no terms. */
    public static Map<String, Object> of(String[] terms, String scheme) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (terms.length > 0) {
            fields.put(TERMS, List.of(terms));
        }
        fields.put(SCHEME, scheme);
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
