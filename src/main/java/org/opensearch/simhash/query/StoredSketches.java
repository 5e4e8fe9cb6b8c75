/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.opensearch.action.get.GetResponse;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.sketch.Sketch;

/** Reads the sketches of a stored document from its source. */
final class StoredSketches {

    private StoredSketches() {}

    /**
     * One target per sketch. Empty if the mapping lacks the field.
     *
     * @throws IllegalArgumentException if the field is mapped and the document has no sketch
     */
    static List<SketchTarget> of(GetResponse document, String field, Supplier<IndexMapping> mapping) {
        List<SketchTarget> targets = new ArrayList<>();
        if (document.isSourceEmpty() == false) {
            for (Object object : DocumentValues.objectsAt(field, document.getSourceAsMap())) {
                if (object instanceof Map<?, ?> parts) {
                    target(document, field, parts, targets);
                }
            }
        }
        if (targets.isEmpty() && mapping.get().maps(field)) {
            throw error(
                    document,
                    document.isSourceEmpty()
                            ? "keeps no _source, from which [" + field + "] could be read: use [sketch]"
                            : "has no sketch in [" + field + "] of its _source");
        }
        return targets;
    }

    private static void target(GetResponse document, String field, Map<?, ?> parts, List<SketchTarget> targets) {
        String digest = parts.get(SketchFields.DIGEST) instanceof String text ? text : null;
        String scheme = parts.get(SketchFields.SCHEME) instanceof String text ? text : null;
        Sketch sketch = null;
        if (parts.get(SketchFields.SKETCH) instanceof String text) {
            try {
                sketch = Sketch.fromBase64(text);
            } catch (IllegalArgumentException e) {
                throw error(document, "has a malformed sketch in [" + field + "]: " + text);
            }
        }
        if (sketch != null || digest != null) {
            BandLayout layout = sketch == null ? null : BandLayout.of(sketch, parts.get(SketchFields.BANDS));
            targets.add(new SketchTarget(sketch, layout, digest, scheme));
        }
    }

    private static IllegalArgumentException error(GetResponse document, String what) {
        return new IllegalArgumentException(
                "[id] document [" + document.getId() + "] of index [" + document.getIndex() + "] " + what);
    }
}
