/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Map;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.options.ProcessorOptions;

/** Writes the target field of a processor and removes other values under its name. */
public final class TargetFields {

    private TargetFields() {}

    /**
     * Replaces all values at and below a path, also under names with dots ({@code {"simhash.hash": …}}), which the
     * mapping treats alike.
     *
     * @param path fields joined by dots, not into arrays
     */
    public static void replace(IngestDocument document, String path, Object value) {
        removeDotted(document, path);
        document.setFieldValue(path, value);
    }

    /** Removes all values at and below a path, as {@link #replace} does. */
    static void remove(IngestDocument document, String path) {
        removeDotted(document, path);
        if (document.hasField(path)) {
            document.removeField(path);
        }
    }

    private static void removeDotted(IngestDocument document, String path) {
        String element = ProcessorOptions.ELEMENT + ".";
        if (path.startsWith(element) == false) {
            removeDotted(document.getSourceAndMetadata(), path, false);
        } else if (document.getIngestMetadata().get(ProcessorOptions.ELEMENT_KEY) instanceof Map<?, ?> object) {
            removeDotted(asParsed(object), path.substring(element.length()), false);
        }
    }

    /** @param dotted whether a name with a dot leads to the map; its names without a dot are then not the target */
    private static void removeDotted(Map<String, Object> map, String path, boolean dotted) {
        String below = path + ".";
        boolean other = dotted || path.indexOf('.') >= 0;
        map.keySet().removeIf(name -> name.startsWith(below) || (other && name.equals(path)));
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            String name = path.substring(0, dot);
            if (map.get(name) instanceof Map<?, ?> object) {
                removeDotted(asParsed(object), path.substring(dot + 1), dotted || name.indexOf('.') >= 0);
            }
        }
    }

    @SuppressWarnings("unchecked") // from JSON
    private static Map<String, Object> asParsed(Map<?, ?> object) {
        return (Map<String, Object>) object;
    }
}
