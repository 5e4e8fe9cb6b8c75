/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.simhash.deduplicate.scan.WholeStrings;
import org.opensearch.simhash.fingerprint.TagFields;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.transport.client.Client;

/**
 * The mapping of the two fields of a tag. An existing mapping stays if it finds documents.
 *
 * @param field the fingerprint object
 */
public record TagMapping(String field) {

    private static final List<String> OF_OBJECTS = List.of("type", "include_in_root", "include_in_parent");

    /**
     * Checks one index before anything is done.
     *
     * @throws IllegalArgumentException naming the field and its type, if the tag would be lost
     */
    public void require(String index, IndexMapping mapping) {
        for (String name : names()) {
            Map<?, ?> mapped = mapping.definition(name);
            if (mapped == null) {
                continue;
            }
            Object type = mapped.get("type");
            // A text field that is not indexed does not answer an exists query.
            boolean isIndexed = WholeStrings.isIndexed(mapped);
            if (WholeStrings.in(mapped) == null || isIndexed == false) {
                String below = WholeStrings.isText(mapped) ? " without an indexed [keyword] below it" : "";
                throw new IllegalArgumentException("[action] tag needs [" + name + "] of type [keyword], got: [" + index
                        + "], where it is of type [" + (type == null ? "object" : type) + "]"
                        + (isIndexed ? below : " and not indexed"));
            }
        }
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
                if (mapping.maps(field + "." + part) == false) {
                    missing.put(part, JobIndex.KEYWORD);
                }
            }
            if (missing.isEmpty() == false) {
                client.admin()
                        .indices()
                        .preparePutMapping(index)
                        .setSource(below(mapping, missing))
                        .get();
            }
        }
    }

    /** Keeps the type of the objects around it, such as nested. */
    private Map<String, Object> below(IndexMapping mapping, Map<String, Object> properties) {
        Map<String, Object> definition = Map.of("properties", properties);
        for (String path = field; path.isEmpty() == false; path = parent(path)) {
            Map<String, Object> object = new HashMap<>(definition);
            Map<?, ?> before = mapping.definition(path);
            for (String kept : OF_OBJECTS) {
                if (before != null && before.get(kept) != null) {
                    object.put(kept, before.get(kept));
                }
            }
            definition = Map.of("properties", Map.of(path.substring(path.lastIndexOf('.') + 1), object));
        }
        return definition;
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        TagFields.ALL.forEach(part -> names.add(field + "." + part));
        return names;
    }

    /** The longest id, in characters, that an index can find in a tag. */
    int longestId(IndexMetadata index) {
        int longest = Integer.MAX_VALUE;
        if (index != null) {
            IndexMapping mapping = new IndexMapping(index);
            for (String name : names()) {
                Map<?, ?> mapped = mapping.definition(name);
                if (mapped != null) {
                    longest = Math.min(longest, WholeStrings.longest(mapped));
                }
            }
        }
        return longest;
    }
}
