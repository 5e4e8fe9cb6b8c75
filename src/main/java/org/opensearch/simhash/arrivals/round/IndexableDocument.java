/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.round;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.opensearch.common.lucene.uid.Versions;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.VersionType;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.IngestDocument.Metadata;

/**
 * Checks what OpenSearch requires after a pipeline, when it casts metadata and serialises the source. After an
 * asynchronous processor such an error is lost, and the bulk is never answered. One thread, one use.
 */
final class IndexableDocument {

    private static final List<Metadata> STRINGS = List.of(Metadata.INDEX, Metadata.ID, Metadata.ROUTING);

    /** Plain JSON can be serialised up to this depth. */
    private static final Set<Class<?>> PLAIN =
            Set.of(String.class, Integer.class, Long.class, Double.class, Float.class, Boolean.class);

    private static final int DEEPEST = 100;

    private final Map<String, Object> fields;
    private final List<String> errors = new ArrayList<>();

    private IndexableDocument(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** Checks a document. Repairs it, because a pipeline may ignore the failure: converts metadata to strings, and removes other invalid values. */
    static void check(IngestDocument document) {
        IndexableDocument checked = new IndexableDocument(document.getSourceAndMetadata());
        checked.metadata();
        checked.source();
        if (checked.errors.isEmpty() == false) {
            throw new IllegalArgumentException(String.join("; ", checked.errors));
        }
    }

    private void metadata() {
        if (fields.get(Metadata.INDEX.getFieldName()) == null) {
            errors.add("[_index] must be the index that the document goes to, got: null");
        }
        for (Metadata metadata : STRINGS) {
            String name = metadata.getFieldName();
            Object value = fields.get(name);
            if (value != null && value instanceof String == false) {
                errors.add("[" + name + "] must be a string, got: " + value);
                fields.put(name, value.toString());
            }
        }
        must(Metadata.VERSION, "be a number", value -> value instanceof Number);
        fields.putIfAbsent(Metadata.VERSION.getFieldName(), Versions.MATCH_ANY);
        must(Metadata.VERSION_TYPE, "be internal, external or external_gte", IndexableDocument::isVersionType);
        must(
                Metadata.IF_SEQ_NO,
                "be a number of at least 0",
                value -> isNatural(value)
                        || (value instanceof Number number && number.longValue() == SequenceNumbers.UNASSIGNED_SEQ_NO));
        must(Metadata.IF_PRIMARY_TERM, "be a number of at least 0", IndexableDocument::isNatural);
    }

    /** Removes a value that breaks the rule. A missing value is valid. */
    private void must(Metadata metadata, String rule, Predicate<Object> check) {
        String name = metadata.getFieldName();
        Object value = fields.get(name);
        if (value != null && check.test(value) == false) {
            errors.add("[" + name + "] must " + rule + ", got: " + value);
            fields.remove(name);
        }
    }

    private static boolean isVersionType(Object value) {
        try {
            return value instanceof String name && VersionType.fromString(name) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isNatural(Object value) {
        return value instanceof Number number && number.longValue() >= 0;
    }

    private void source() {
        if (isPlain(fields, 0) == false) {
            removeWrongNames(fields);
            fields.entrySet().removeIf(field -> isPlain(field.getValue(), 1) == false && canBeWritten(field) == false);
        }
    }

    /** Scripts can add such keys. */
    private void removeWrongNames(Map<?, ?> raw) {
        raw.keySet().removeIf(name -> {
            if (name instanceof String) {
                return false;
            }
            errors.add("names of fields must be strings, got: " + name);
            return true;
        });
    }

    private boolean canBeWritten(Map.Entry<String, Object> field) {
        try (XContentBuilder builder =
                new XContentBuilder(MediaTypeRegistry.JSON.xContent(), OutputStream.nullOutputStream())) {
            builder.startObject().field(field.getKey(), field.getValue()).endObject();
            return true;
        } catch (IOException | RuntimeException e) {
            errors.add("[" + field.getKey() + "] must be a value that can be written as JSON, got: " + e.getMessage());
            return false;
        }
    }

    private static boolean isPlain(Object value, int depth) {
        if (value == null || PLAIN.contains(value.getClass())) {
            return true;
        }
        if (depth == DEEPEST) {
            return false;
        }
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .allMatch(entry -> entry.getKey() instanceof String && isPlain(entry.getValue(), depth + 1));
            case List<?> list -> list.stream().allMatch(entry -> isPlain(entry, depth + 1));
            default -> false;
        };
    }
}
