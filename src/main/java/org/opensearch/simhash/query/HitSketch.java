/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import java.util.Map;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.sketch.Sketch;

/**
 * The sketches of a hit. They travel from the shard in a field that no mapping has.
 *
 * @param sketches none for a text that is too short for one
 */
public record HitSketch(List<Sketch> sketches, List<String> digests, List<String> schemes) {

    public static final HitSketch NONE = new HitSketch(List.of(), List.of(), List.of());
    private static final HitField FIELD = new HitField("._sketch");

    /** The field that carries the sketches of an object such as {@code minhash}. */
    public static String fieldFor(String object) {
        return FIELD.of(object);
    }

    /** Null for any other field. */
    static String objectOf(String field) {
        return FIELD.objectOf(field);
    }

    public boolean isNone() {
        return sketches.isEmpty() && digests.isEmpty() && schemes.isEmpty();
    }

    /** Null if they can be read. */
    public static String whyUnreadable(SearchHit hit, String field) {
        return HitField.whyUnreadable(hit, field);
    }

    /** A hit without the field, or with an error in it, has no sketch. */
    public static HitSketch of(SearchHit hit, String field) {
        Map<?, ?> parts = HitField.parts(hit, field);
        return parts.get(SketchFields.SKETCH) instanceof List<?> sketches
                ? new HitSketch(
                        sketches.stream()
                                .map(text -> Sketch.fromBase64(text.toString()))
                                .toList(),
                        texts(parts.get(SketchFields.DIGEST)),
                        texts(parts.get(SketchFields.SCHEME)))
                : NONE;
    }

    private static List<String> texts(Object values) {
        return ((List<?>) values).stream().map(Object::toString).toList();
    }

    DocumentField toField(String name) {
        return new DocumentField(
                name,
                List.of(Map.of(
                        SketchFields.SKETCH,
                                sketches.stream().map(Sketch::toBase64).toList(),
                        SketchFields.DIGEST, digests,
                        SketchFields.SCHEME, schemes)));
    }
}
