/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.search.ingest.DocumentValues.TargetFields;

/** The tag in a near-duplicate: its original, and their distance. */
public final class DuplicateTag {

    private static final String INDEX = "index";
    private static final String ID = "id";
    private static final String DISTANCE = "distance";
    private static final String SIMILARITY = "similarity";
    private static final String PENDING = "pending";

    private static final Set<String> ALWAYS = Set.of(INDEX, ID, PENDING);
    /** At least one of them is in each tag. */
    private static final Set<String> NEARNESS = Set.of(DISTANCE, SIMILARITY);

    private static final Set<String> ALL = Set.of(INDEX, ID, DISTANCE, SIMILARITY, PENDING);

    private DuplicateTag() {}

    /** A tag of this run of the pipeline, not of the client's document. */
    private static final class Fresh extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1;
    }

    /**
     * Writes a tag. The similarity is that of the texts, or if these are not compared, the estimate of two sketches.
     *
     * @param pending whether the original may not be stored yet
     */
    static void write(IngestDocument document, String path, ArrivedPrint print, Original original, boolean pending) {
        Map<String, Object> tag = new Fresh();
        tag.put(INDEX, original.name().index());
        tag.put(ID, original.name().id());
        if (print instanceof ArrivedFingerprint) {
            tag.put(DISTANCE, original.distance());
        }
        if (Double.isNaN(original.similarity()) == false) {
            tag.put(SIMILARITY, original.similarity());
        } else if (print instanceof ArrivedSketch sketch) {
            tag.put(SIMILARITY, sketch.similarity(original.distance()));
        }
        tag.put(PENDING, pending);
        TargetFields.replace(document, path, tag);
    }

    /**
     * Removes the tag of an earlier version. Other values stay, and tags of this run.
     *
     * @param isNew whether an earlier pipeline of this write named an original: OpenSearch serialises the document between pipelines
     */
    public static void remove(IngestDocument document, String path, Predicate<DocumentName> isNew) {
        if (document.hasField(path)
                && document.getFieldValue(path, Object.class) instanceof Map<?, ?> tag
                && tag instanceof Fresh == false
                && tag.keySet().containsAll(ALWAYS)
                && Collections.disjoint(tag.keySet(), NEARNESS) == false
                && ALL.containsAll(tag.keySet())) {
            DocumentName original = original(tag);
            if (original == null || isNew.test(original) == false) {
                document.removeField(path);
            }
        }
    }

    /** The original in a tag, or null. */
    static DocumentName original(Map<String, Object> source, String path) {
        return XContentMapValues.extractValue(path, source) instanceof Map<?, ?> tag ? original(tag) : null;
    }

    private static DocumentName original(Map<?, ?> tag) {
        return tag.get(INDEX) instanceof String index && tag.get(ID) instanceof String id
                ? new DocumentName(index, id, null)
                : null;
    }
}
