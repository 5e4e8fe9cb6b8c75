/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.pair.PairConditions;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.simhash.query.PairDocValues;
import org.opensearch.simhash.query.ValuesField;

/**
 * Finds documents whose values in the conditions on a pair lack doc values, so that they would look missing: keywords longer than
 * {@code ignore_above}, and malformed numbers. OpenSearch does not record which keywords are too long, so this reads
 * the sources of linked documents.
 */
public final class IgnoredValues {

    /**
     * What a field ignores.
     *
     * @param option the condition that names the field
     * @param path in the document
     * @param most longest value that is not ignored, in characters
     * @param isLenient whether malformed values are ignored
     */
    private record Limit(String option, String name, String path, int most, boolean isLenient) {

        boolean isLimited() {
            return most < Integer.MAX_VALUE;
        }
    }

    private final Map<String, List<Limit>> byIndex = new HashMap<>();
    private final Set<String> paths = new TreeSet<>();

    /**
     * Reads the mappings.
     *
     * @throws IllegalArgumentException if the source does not show the values of a field
     */
    public IgnoredValues(Metadata metadata, Collection<String> indices, PairConditions conditions) {
        for (String index : conditions.isEmpty() ? List.<String>of() : indices) {
            IndexMetadata found = metadata.index(index);
            if (found != null) {
                IndexMapping mapping = new IndexMapping(found);
                boolean isLenient = FieldMapper.IGNORE_MALFORMED_SETTING.get(found.getSettings());
                List<Limit> limits = conditions.fields().stream()
                        .map(field -> limit(mapping, isLenient, conditions.optionOf(field), field))
                        .toList();
                // A hit that is not checked is read without its stored fields, in a fraction of the time.
                if (limits.stream().anyMatch(limit -> limit.isLimited() || limit.isLenient)) {
                    byIndex.put(index, limits);
                }
                limits.stream().filter(Limit::isLimited).forEach(limit -> {
                    requireInSource(limit, mapping, index);
                    paths.add(limit.path);
                });
            }
        }
    }

    /** The source must have all values of the field. */
    private static void requireInSource(Limit limit, IndexMapping mapping, String index) {
        boolean isCopied = mapping.isCopiedTo(limit.path);
        if (isCopied || mapping.keepsInSource(limit.path) == false) {
            throw new IllegalArgumentException("[" + limit.option + "] must name fields without [ignore_above] where "
                    + (isCopied ? "others are copied into them" : "_source does not keep them") + ", got: ["
                    + limit.path
                    + "] in [" + index + "]");
        }
    }

    /** Whether hits must be checked. */
    boolean isNeeded() {
        return byIndex.isEmpty() == false;
    }

    /** Fields to read from the source; empty if nothing can be ignored. */
    Set<String> paths() {
        return paths;
    }

    /** Throws if the document has an ignored value. */
    void check(SearchHit hit) {
        for (Limit limit : byIndex.getOrDefault(hit.getIndex(), List.of())) {
            checkMalformed(hit, limit);
            if (limit.isLimited()) {
                checkLength(hit, limit);
            }
        }
    }

    private static void checkMalformed(SearchHit hit, Limit limit) {
        DocumentField ignored = hit.field(IgnoredFieldMapper.NAME);
        if (ignored != null && ignored.getValues().contains(limit.name)) {
            throw refused(hit, limit, PairDocValues.malformed(limit.name));
        }
    }

    private static void checkLength(SearchHit hit, Limit limit) {
        for (Object value : DocumentValues.at(limit.path, hit.getSourceAsMap())) {
            int length = value.toString().length();
            if (length > limit.most) {
                throw refused(hit, limit, PairDocValues.tooLong(length, limit.path, limit.most));
            }
        }
    }

    private static IllegalArgumentException refused(SearchHit hit, Limit limit, String what) {
        return PairDocValues.ignored(limit.option, hit.getIndex(), hit.getId(), what);
    }

    private static Limit limit(IndexMapping mapping, boolean isLenient, String option, String field) {
        Map<?, ?> itself = mapping.definition(field);
        if (itself != null && "alias".equals(itself.get("type")) && itself.get("path") != null) {
            return limit(mapping, isLenient, option, itself.get("path").toString());
        }
        if (itself != null && TextFieldMapper.CONTENT_TYPE.equals(itself.get("type"))) {
            return limit(option, field, field, below(itself, ValuesField.SUB_FIELD.substring(1)), isLenient);
        }
        int dot = field.lastIndexOf('.');
        if (itself == null && dot > 0) {
            // A sub-field, whose values stand at the path of its field.
            String above = field.substring(0, dot);
            Map<?, ?> sub = below(mapping.definition(above), field.substring(dot + 1));
            return limit(option, field, above, sub, isLenient);
        }
        return limit(option, field, field, itself, isLenient);
    }

    /** @param definition null if it is not known, which may ignore anything */
    private static Limit limit(String option, String name, String path, Map<?, ?> definition, boolean isLenient) {
        Object malformed = definition == null ? "true" : definition.get("ignore_malformed");
        return new Limit(
                option,
                name,
                path,
                most(definition),
                malformed == null ? isLenient : "true".equals(malformed.toString()));
    }

    private static Map<?, ?> below(Map<?, ?> field, String name) {
        return field != null
                        && field.get("fields") instanceof Map<?, ?> fields
                        && fields.get(name) instanceof Map<?, ?> sub
                ? sub
                : null;
    }

    private static int most(Map<?, ?> field) {
        return field != null && field.get("ignore_above") instanceof Number most ? most.intValue() : Integer.MAX_VALUE;
    }
}
