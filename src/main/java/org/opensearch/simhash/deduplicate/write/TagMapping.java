/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.simhash.fingerprint.TagFields;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.simhash.query.WholeStrings;
import org.opensearch.transport.client.Client;

/**
 * The mapping of the fields of a tag. An existing mapping stays if it finds documents.
 *
 * @param field the fingerprint object
 * @param sizeField the field for the number of members, or null
 */
public record TagMapping(String field, String sizeField) {

    /** Types that hold each size exactly. */
    private static final Set<String> SIZES = Set.of("integer", "long", "unsigned_long", "float", "double");

    private static final List<String> OF_OBJECTS = List.of("type", "include_in_root", "include_in_parent");

    /**
     * Checks one index before anything is done.
     *
     * @throws IllegalArgumentException naming the field and its type, if the tag would be lost
     */
    public void require(String index, IndexMapping mapping) {
        for (String name : names()) {
            int length = name.equals(path(TagFields.GROUP)) ? TagFields.GROUP_LENGTH : 0;
            WholeStrings.require("[action] tag", index, mapping, name, length);
        }
        if (sizeField != null) {
            requireSize(index, mapping);
        }
    }

    private void requireSize(String index, IndexMapping mapping) {
        for (String path = parent(sizeField); path.isEmpty() == false; path = parent(path)) {
            Map<?, ?> around = mapping.definition(path);
            if (around != null && (mapping.isObject(path) == false || "nested".equals(around.get("type")))) {
                throw new IllegalArgumentException(
                        "[size_field] must be a field of the document or of its objects, got: [" + sizeField
                                + "], where [" + path + "] is of type [" + type(around) + "] in [" + index + "]");
            }
        }
        Map<?, ?> mapped = mapping.definition(sizeField);
        if (mapped != null && SIZES.contains(type(mapped)) == false) {
            throw new IllegalArgumentException("[size_field] must be of type [integer] or [long], got: [" + sizeField
                    + "], which is of type [" + type(mapped) + "] in [" + index + "]");
        }
    }

    private static String type(Map<?, ?> mapped) {
        return mapped.get("type") == null ? "object" : String.valueOf(mapped.get("type"));
    }

    /** Maps the fields where they are not mapped, for looking up ids as a whole. */
    public void complete(Client client, Metadata metadata, List<String> indices) {
        for (String index : indices) {
            IndexMetadata there = metadata.index(index);
            if (there == null) {
                continue; // It was deleted meanwhile.
            }
            IndexMapping mapping = new IndexMapping(there);
            Map<String, Object> missing = new HashMap<>();
            for (String part : TagFields.ALL) {
                if (mapping.maps(path(part)) == false) {
                    missing.put(part, JobIndex.KEYWORD);
                }
            }
            if (missing.isEmpty() == false) {
                put(client, index, below(mapping, field, missing));
            }
            if (sizeField != null && mapping.maps(sizeField) == false) {
                String name = sizeField.substring(sizeField.lastIndexOf('.') + 1);
                put(client, index, below(mapping, parent(sizeField), Map.of(name, Map.of("type", "integer"))));
            }
        }
    }

    private static void put(Client client, String index, Map<String, Object> mapping) {
        client.admin().indices().preparePutMapping(index).setSource(mapping).get();
    }

    /** Keeps the type of the objects around it, such as nested. */
    private static Map<String, Object> below(IndexMapping mapping, String object, Map<String, Object> properties) {
        Map<String, Object> definition = Map.of("properties", properties);
        for (String path = object; path.isEmpty() == false; path = parent(path)) {
            Map<String, Object> around = new HashMap<>(definition);
            Map<?, ?> before = mapping.definition(path);
            for (String kept : OF_OBJECTS) {
                if (before != null && before.get(kept) != null) {
                    around.put(kept, before.get(kept));
                }
            }
            definition = Map.of("properties", Map.of(path.substring(path.lastIndexOf('.') + 1), around));
        }
        return definition;
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }

    private String path(String part) {
        return field + "." + part;
    }

    /** Without the size. */
    public List<String> names() {
        return TagFields.ALL.stream().map(this::path).toList();
    }

    /** The longest id, in characters, that an index can find in a part of a tag. */
    int longestId(IndexMetadata index, String part) {
        return index == null ? Integer.MAX_VALUE : longest(new IndexMapping(index), path(part));
    }

    private static int longest(IndexMapping mapping, String name) {
        Map<?, ?> mapped = mapping.definition(name);
        return mapped == null ? Integer.MAX_VALUE : WholeStrings.longest(mapped);
    }
}
