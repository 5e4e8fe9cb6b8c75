/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * The values at a path of a document, as OpenSearch indexes them: in nested objects, under names with dots, or both, and in arrays of any
 * depth. For the mapping, {@code {"mail": {"subject": …}, "mail.body": …}} has one object {@code mail}.
 *
 * <p>Array elements keep their order. If several names of an object lead to the path, the shortest comes first, since
 * parsing does not keep the order of names. Costs a few look-ups per object on the way.
 */
public final class DocumentValues {

    private DocumentValues() {}

    /** All values, array elements one by one; nulls are dropped. */
    public static List<Object> at(String path, Map<?, ?> document) {
        List<Object> values = new ArrayList<>();
        collect(document, path, values::add);
        return values;
    }

    /**
     * The value as it is, arrays included; null if there is none. If only a name with dots leads there, as
     * {@code "mail.hash"} beside {@code "mail"}, its value or a list of several.
     */
    static Object asItStands(String path, Map<String, Object> document) {
        Object value = XContentMapValues.extractValue(path, document);
        if (value != null) {
            return value;
        }
        List<Object> values = at(path, document);
        return switch (values.size()) {
            case 0 -> null;
            case 1 -> values.getFirst();
            default -> values;
        };
    }

    /** The first value; empty if there is none. */
    public static Optional<Object> firstAt(String path, Map<?, ?> document) {
        return at(path, document).stream().findFirst();
    }

    /**
     * The objects at a path, and other values there. Names with dots that lead into the object, as {@code "simhash.hash"}, cannot be
     * assigned to one of several objects. They make one more object, with lists of their values.
     */
    public static List<Object> objectsAt(String path, Map<?, ?> document) {
        List<Object> objects = at(path, document);
        Map<String, Object> dotted = new LinkedHashMap<>();
        collectBelow(document, path, dotted);
        if (dotted.isEmpty() == false) {
            Map<String, Object> all = new LinkedHashMap<>();
            objects.removeIf(object -> object instanceof Map<?, ?> map && addAll(map, all));
            addAll(dotted, all);
            objects.add(all);
        }
        return objects;
    }

    /** @param path the remaining path; empty at its end */
    private static void collect(Object value, String path, Consumer<Object> values) {
        switch (value) {
            case null -> {}
            case Collection<?> list -> list.forEach(element -> collect(element, path, values));
            // Scripts make these.
            case Object[] array -> Arrays.asList(array).forEach(element -> collect(element, path, values));
            default -> {
                if (path.isEmpty()) {
                    values.accept(value);
                } else if (value instanceof Map<?, ?> object) {
                    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
                        collect(object.get(path.substring(0, dot)), path.substring(dot + 1), values);
                    }
                    collect(object.get(path), "", values);
                }
            }
        }
    }

    /** Collects what names with dots lead to below the path, by the rest of the name. */
    private static void collectBelow(Object value, String path, Map<String, Object> below) {
        switch (value) {
            case null -> {}
            case Collection<?> list -> list.forEach(element -> collectBelow(element, path, below));
            case Object[] array -> Arrays.asList(array).forEach(element -> collectBelow(element, path, below));
            case Map<?, ?> object -> {
                for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
                    collectBelow(object.get(path.substring(0, dot)), path.substring(dot + 1), below);
                }
                String dotted = path + ".";
                object.forEach((name, inside) -> {
                    if (name instanceof String text && text.startsWith(dotted)) {
                        add(text.substring(dotted.length()), inside, below);
                    }
                });
            }
            default -> {}
        }
    }

    private static boolean addAll(Map<?, ?> object, Map<String, Object> all) {
        object.forEach((name, value) -> add(String.valueOf(name), value, all));
        return true;
    }

    private static void add(String name, Object value, Map<String, Object> all) {
        all.merge(name, value == null ? List.of() : value, (before, more) -> {
            List<Object> both = new ArrayList<>();
            collect(before, "", both::add);
            collect(more, "", both::add);
            return both;
        });
    }

    /** Writes the target field of a processor and removes other values under its name. */
    public static final class TargetFields {

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
                removeAll(
                        document.getIngestMetadata().get(ProcessorOptions.ELEMENT_KEY),
                        path.substring(element.length()));
            } else {
                removeAll(document.getSourceAndMetadata(), path);
            }
        }

        static void removeAll(Object value, String path) {
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
}
