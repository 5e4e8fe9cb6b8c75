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
 * How indices map the two fields of a tag. Where a mapping has them already it stays as it is, if documents can be found by them: stale
 * tags are, and so are duplicates by those who search.
 *
 * @param field the fingerprint object
 */
public record TagMapping(String field) {

    private static final List<String> OF_OBJECTS = List.of("type", "include_in_root", "include_in_parent");

    /**
     * Looks at one index, before anything is done.
     *
     * @throws IllegalArgumentException when the tag would be lost, naming the field and its type
     */
    public void require(String index, IndexMapping mapping) {
        for (String name : names()) {
            Map<?, ?> mapped = mapping.definition(name);
            if (mapped == null) {
                continue;
            }
            Object type = mapped.get("type");
            // A text that is not would not be found by what has a tag at all.
            boolean isIndexed = WholeStrings.isIndexed(mapped);
            if (WholeStrings.in(mapped) == null || isIndexed == false) {
                String below = WholeStrings.isText(mapped) ? " without an indexed [keyword] below it" : "";
                throw new IllegalArgumentException("[action] tag needs [" + name + "] of type [keyword], got: [" + index
                        + "], where it is of type [" + (type == null ? "object" : type) + "]"
                        + (isIndexed ? below : " and not indexed"));
            }
        }
    }

    /** Ids are looked up as a whole: where no mapping says so yet, they get one. */
    public void complete(Client client, Metadata metadata, List<String> indices) {
        for (String index : indices) {
            IndexMetadata there = metadata.index(index);
            if (there == null) {
                continue; // Deleted meanwhile, and with it what was to be tagged.
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

    /** The objects on the way are what they were: nested ones, too. */
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

    /** The paths of the two fields. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        TagFields.ALL.forEach(part -> names.add(field + "." + part));
        return names;
    }

    /** In characters, the longest id by which a tag is found in an index. */
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
