/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.search.options.ProcessorOptions;

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
        remove(document, path);
        document.setFieldValue(path, value);
    }

    /** The objects at a path, as {@link DocumentValues#objectsAt} finds them. */
    static List<Object> objects(IngestDocument document, String path) {
        String element = ProcessorOptions.ELEMENT + ".";
        return path.startsWith(element)
                ? document.getIngestMetadata().get(ProcessorOptions.ELEMENT_KEY) instanceof Map<?, ?> inside
                        ? DocumentValues.objectsAt(path.substring(element.length()), inside)
                        : List.of()
                : DocumentValues.objectsAt(path, document.getSourceAndMetadata());
    }

    /** Removes all values at and below a path, under names with dots and in arrays, too. */
    public static void remove(IngestDocument document, String path) {
        String element = ProcessorOptions.ELEMENT + ".";
        if (path.startsWith(element)) {
            removeAll(document.getIngestMetadata().get(ProcessorOptions.ELEMENT_KEY), path.substring(element.length()));
        } else {
            removeAll(document.getSourceAndMetadata(), path);
        }
    }

    private static void removeAll(Object value, String path) {
        switch (value) {
            case Map<?, ?> object -> {
                String below = path + ".";
                object.keySet()
                        .removeIf(name -> path.equals(name) || (name instanceof String s && s.startsWith(below)));
                for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
                    removeAll(object.get(path.substring(0, dot)), path.substring(dot + 1));
                }
            }
            case Collection<?> list -> list.forEach(inside -> removeAll(inside, path));
            case Object[] array -> Arrays.asList(array).forEach(inside -> removeAll(inside, path)); // of a script
            case null -> {}
            default -> {}
        }
    }
}
