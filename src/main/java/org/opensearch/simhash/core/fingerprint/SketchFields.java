/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;

/** The fields of a sketch in a document: an object below the processor's target field. */
public final class SketchFields {

    public static final String DEFAULT_OBJECT = "minhash";

    public static final String BANDS = "bands";
    public static final String SKETCH = "sketch";
    public static final String DIGEST = FingerprintFields.DIGEST;
    public static final String SIZE = "size";
    public static final String SCHEME = FingerprintFields.SCHEME;

    private SketchFields() {}

    /** All fields that the object may have. */
    public static Stream<String> all() {
        return Stream.of(BANDS, SKETCH, DIGEST, SIZE, SCHEME);
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

    /**
     * The MinHash of a document's text.
     *
     * @param sketch empty if the text has too few features
     * @param digest as in a {@link Fingerprint}
     * @param size number of distinct features
     * @param scheme id of the recipe; only sketches of one scheme are comparable
     */
    public record SketchedText(Optional<Sketch> sketch, String digest, int size, String scheme) {}
}
