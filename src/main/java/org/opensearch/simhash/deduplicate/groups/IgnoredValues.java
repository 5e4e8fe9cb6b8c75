/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.groups;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.deduplicate.scan.ValuesField;

/**
 * Values of keywords that are longer than {@code ignore_above} are not in doc values: documents that differ in nothing else would
 * seem to be the same. OpenSearch writes nowhere which they are; the sources of the documents that are near to any other tell.
 */
final class IgnoredValues {

    /**
     * A keyword of an index that leaves long values out.
     *
     * @param path in the document
     * @param most characters that are not left out
     */
    private record Limit(String path, int most) {}

    private final Map<String, List<Limit>> byIndex = new HashMap<>();
    private final Set<String> paths = new TreeSet<>();

    /** @param same the fields that keep documents apart, as the options name them */
    IgnoredValues(Metadata metadata, String[] indices, List<String> same) {
        for (String index : indices) {
            IndexMetadata found = metadata.index(index);
            if (found != null && found.mapping() != null && same.isEmpty() == false) {
                Map<String, Object> mapping = found.mapping().sourceAsMap();
                List<Limit> limits = same.stream()
                        .map(field -> limit(mapping, field))
                        .filter(limit -> limit.most < Integer.MAX_VALUE)
                        .toList();
                byIndex.put(index, limits);
                limits.forEach(limit -> paths.add(limit.path));
            }
        }
    }

    /** What has to be read of the documents; nothing when nothing can be ignored. */
    Set<String> paths() {
        return paths;
    }

    /** Refuses a document whose values cannot be told. */
    void check(SearchHit hit) {
        for (Limit limit : byIndex.getOrDefault(hit.getIndex(), List.of())) {
            if (hit.hasSource() == false) {
                throw new IllegalArgumentException("[same] must name fields without [ignore_above] where documents have"
                        + " no _source, got: [" + limit.path + "] in [" + hit.getIndex() + "]");
            }
            for (Object value : XContentMapValues.extractRawValues(limit.path, hit.getSourceAsMap())) {
                int length = value == null ? 0 : value.toString().length();
                if (length > limit.most) {
                    throw new IllegalArgumentException("[same] must name fields whose values all have doc values, but"
                            + " document [" + hit.getId() + "] of [" + hit.getIndex() + "] has " + length
                            + " characters in [" + limit.path + "], whose [ignore_above] is " + limit.most);
                }
            }
        }
    }

    private static Limit limit(Map<String, Object> mapping, String field) {
        Map<?, ?> itself = definition(mapping, field);
        if (itself != null && "alias".equals(itself.get("type")) && itself.get("path") != null) {
            return limit(mapping, itself.get("path").toString());
        }
        if (itself != null && TextFieldMapper.CONTENT_TYPE.equals(itself.get("type"))) {
            return new Limit(field, most(below(itself, ValuesField.SUB_FIELD.substring(1))));
        }
        int dot = field.lastIndexOf('.');
        if (itself == null && dot > 0) {
            // Named as it is, below the field whose values it has.
            return new Limit(
                    field.substring(0, dot),
                    most(below(definition(mapping, field.substring(0, dot)), field.substring(dot + 1))));
        }
        return new Limit(field, most(itself));
    }

    private static Map<?, ?> definition(Map<String, Object> mapping, String field) {
        String path = "properties." + field.replace(".", ".properties.");
        return XContentMapValues.extractValue(path, mapping) instanceof Map<?, ?> found ? found : null;
    }

    private static Map<?, ?> below(Map<?, ?> field, String name) {
        return field != null
                        && field.get("fields") instanceof Map<?, ?> fields
                        && fields.get(name) instanceof Map<?, ?> sub
                ? sub
                : null;
    }

    private static int most(Map<?, ?> field) {
        boolean isKeyword = field != null && KeywordFieldMapper.CONTENT_TYPE.equals(field.get("type"));
        return isKeyword && field.get("ignore_above") instanceof Number most ? most.intValue() : Integer.MAX_VALUE;
    }
}
