/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.simhash.pair.PairConditions;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.simhash.query.ValuesField;

/**
 * Whether mappings may ignore values of the fields of conditions on a pair, so that they would look missing: keywords longer than
 * {@code ignore_above}, and malformed numbers. OpenSearch does not record which keywords are too long, so a job then looks at
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
    private record Limit(String option, String path, int most, boolean isLenient) {

        boolean isLimited() {
            return most < Integer.MAX_VALUE;
        }
    }

    private final PairConditions conditions;
    private boolean isNeeded;

    /**
     * Reads the mappings.
     *
     * @throws IllegalArgumentException if the source does not show the values of a field
     */
    public IgnoredValues(Metadata metadata, Collection<String> indices, PairConditions conditions) {
        this.conditions = conditions;
        for (String index : conditions.isEmpty() ? List.<String>of() : indices) {
            IndexMetadata found = metadata.index(index);
            if (found != null) {
                IndexMapping mapping = new IndexMapping(found);
                boolean isLenient = FieldMapper.IGNORE_MALFORMED_SETTING.get(found.getSettings());
                List<Limit> limits = conditions.fields().stream()
                        .map(field -> limit(mapping, isLenient, conditions.optionOf(field), field))
                        .toList();
                isNeeded |= limits.stream().anyMatch(limit -> limit.isLimited() || limit.isLenient);
                limits.stream().filter(Limit::isLimited).forEach(limit -> requireInSource(limit, mapping, index));
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

    /** Whether documents must be looked at. */
    boolean isNeeded() {
        return isNeeded;
    }

    /** The conditions with all fields. */
    PairConditions of() {
        return conditions;
    }

    private static Limit limit(IndexMapping mapping, boolean isLenient, String option, String field) {
        Map<?, ?> itself = mapping.definition(field);
        if (itself != null && "alias".equals(itself.get("type")) && itself.get("path") != null) {
            return limit(mapping, isLenient, option, itself.get("path").toString());
        }
        if (itself != null && TextFieldMapper.CONTENT_TYPE.equals(itself.get("type"))) {
            return limit(option, field, below(itself, ValuesField.SUB_FIELD.substring(1)), isLenient);
        }
        int dot = field.lastIndexOf('.');
        if (itself == null && dot > 0) {
            // A sub-field, whose values stand at the path of its field.
            String above = field.substring(0, dot);
            Map<?, ?> sub = below(mapping.definition(above), field.substring(dot + 1));
            return limit(option, above, sub, isLenient);
        }
        return limit(option, field, itself, isLenient);
    }

    /** @param definition null if it is not known, which may ignore anything */
    private static Limit limit(String option, String path, Map<?, ?> definition, boolean isLenient) {
        Object malformed = definition == null ? "true" : definition.get("ignore_malformed");
        return new Limit(
                option, path, most(definition), malformed == null ? isLenient : "true".equals(malformed.toString()));
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
