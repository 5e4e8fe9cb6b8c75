/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.script.DocumentScript;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.StoredFingerprint;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.IndexMapping.WholeField;
import org.opensearch.transport.client.Client;

/**
 * The partial updates that change tags, each on condition that the document is unchanged.
 *
 * @param runScripts whether the cluster allows the script that removes fields; if not, they become null
 */
public record TagUpdates(String field, String sizeField, boolean runScripts) {

    /** What a document says of its group. Each part is null if there is none, and a list if there are several. */
    public record Tag(Object group, Object duplicateOf, Object size) {

        public static final Tag NONE = new Tag(null, null, null);

        /** Without a group, a number in the field for sizes is somebody else's. */
        public boolean isNone() {
            return group == null && duplicateOf == null;
        }
    }

    public String[] names() {
        List<String> names = new ArrayList<>(new TagMapping(field, sizeField).names());
        if (sizeField != null) {
            names.add(sizeField);
        }
        return names.toArray(String[]::new);
    }

    /** The fields that an update looks at: the fingerprint, and all that is around a size. */
    String[] objects() {
        return sizeField == null
                ? new String[] {field}
                : new String[] {field, sizeField.split("\\.", 2)[0]};
    }

    private static String path(String field, String part) {
        return field + "." + part;
    }

    /** @param hit has the source of {@link #names} */
    public Tag tag(SearchHit hit) {
        return new Tag(
                value(hit, path(field, FingerprintFields.GROUP)),
                value(hit, path(field, FingerprintFields.DUPLICATE_OF)),
                sizeField == null ? null : value(hit, sizeField));
    }

    private static Object value(SearchHit hit, String path) {
        List<Object> values = hit.hasSource() ? DocumentValues.at(path, hit.getSourceAsMap()) : List.of();
        return switch (values.size()) {
            case 0 -> null;
            case 1 -> values.getFirst();
            default -> values;
        };
    }

    /** A partial update would replace an array of fingerprints by an object. */
    public boolean isOneObject(SearchHit hit) {
        return hit.hasSource() && at(field, hit) instanceof Map;
    }

    /** Whether a size has a place: a partial update would replace what is around it if that is no object. */
    boolean hasPlaceForSize(SearchHit hit) {
        for (int dot = sizeField.indexOf('.'); dot >= 0; dot = sizeField.indexOf('.', dot + 1)) {
            Object around = at(sizeField.substring(0, dot), hit);
            if (around != null && around instanceof Map == false) {
                return false;
            }
        }
        return true;
    }

    private static Object at(String path, SearchHit hit) {
        Object value = hit.getSourceAsMap();
        for (String step : path.split("\\.", -1)) {
            value = value instanceof Map<?, ?> object ? object.get(step) : null;
        }
        return value;
    }

    /** Whether {@code bits} are not those of {@code hash}, as after a client that rounds them: then what is near is not known. */
    boolean isRounded(SearchHit hit) {
        return hit != null && hit.hasSource() && StoredFingerprint.isRounded(field, hit.getSourceAsMap());
    }

    /** @param hit has its sequence number, and the source of {@link #names} */
    public UpdateRequest update(SearchHit hit, Tag wanted) {
        Tag before = tag(hit);
        Map<String, Object> changed = new LinkedHashMap<>();
        put(path(field, FingerprintFields.GROUP), before.group, wanted.group, changed);
        put(path(field, FingerprintFields.DUPLICATE_OF), before.duplicateOf, wanted.duplicateOf, changed);
        if (sizeField != null && hasPlaceForSize(hit)) {
            put(sizeField, before.size, wanted.size, changed);
        }
        return update(hit, changed).setIfSeqNo(hit.getSeqNo()).setIfPrimaryTerm(hit.getPrimaryTerm());
    }

    /** Replaces the names of those from which it is kept apart, and removes tags that say it is near one of these. */
    UpdateRequest apart(SearchHit hit, List<String> names, Set<String> tags) {
        Map<String, Object> changed = new LinkedHashMap<>(Map.of(path(field, FingerprintFields.APART), names));
        tags.stream()
                .filter(tag -> at(tag, hit) instanceof Map<?, ?> near && names.contains(near.get("id")))
                .forEach(tag -> changed.put(tag, null));
        return update(hit, changed);
    }

    private UpdateRequest update(SearchHit hit, Map<String, Object> changed) {
        UpdateRequest update = new UpdateRequest(hit.getIndex(), hit.getId()).routing(DocumentTable.routing(hit));
        return runScripts && changed.containsValue(null)
                ? update.script(DocumentScript.set(changed))
                : update.doc(asObjects(changed));
    }

    public JobCount count(SearchHit hit, Tag wanted) {
        if (wanted.duplicateOf != null) {
            return JobCount.TAGGED;
        }
        return tag(hit).duplicateOf == null ? JobCount.GROUPED : JobCount.CLEARED;
    }

    private static void put(String path, Object before, Object wanted, Map<String, Object> changed) {
        if (wanted != null || before != null) {
            changed.put(path, wanted);
        }
    }

    @SuppressWarnings("unchecked") // made here
    private static Map<String, Object> asObjects(Map<String, Object> byPath) {
        Map<String, Object> document = new HashMap<>();
        byPath.forEach((path, value) -> {
            Map<String, Object> object = document;
            int from = 0;
            for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', from)) {
                object = (Map<String, Object>)
                        object.computeIfAbsent(path.substring(from, dot), step -> new HashMap<>());
                from = dot + 1;
            }
            object.put(path.substring(from), value);
        });
        return document;
    }

    /** The mapping of the fields of a tag. An existing mapping stays if it finds documents. */
    public record TagMapping(String field, String sizeField) {

        /** Types that hold each size exactly. */
        private static final Set<String> SIZES = Set.of("integer", "long", "unsigned_long", "float", "double");

        /** Checks one index before anything is done. */
        public void require(String index, IndexMapping mapping) {
            for (String name : names()) {
                int length = name.equals(path(field, FingerprintFields.GROUP)) ? FingerprintFields.GROUP_LENGTH : 0;
                mapping.requireWhole("[action] tag", index, name, length);
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
                                    + "], where [" + path + "] is of type [" + IndexMapping.type(around) + "] in ["
                                    + index + "]");
                }
            }
            Map<?, ?> mapped = mapping.definition(sizeField);
            if (mapped != null && SIZES.contains(IndexMapping.type(mapped)) == false) {
                throw new IllegalArgumentException("[size_field] must be of type [integer] or [long], got: ["
                        + sizeField + "], which is of type [" + IndexMapping.type(mapped) + "] in [" + index + "]");
            }
        }

        /** Maps the fields where they are not mapped, for looking up ids as a whole. */
        public void complete(Client client, Metadata metadata, List<String> indices) {
            for (String index : indices) {
                IndexMetadata there = metadata.index(index);
                if (there == null) {
                    continue; // It was deleted meanwhile.
                }
                Map<String, Object> tags = FingerprintFields.KEPT.stream()
                        .collect(Collectors.toMap(part -> part, part -> JobIndex.KEYWORD));
                JobIndex.complete(client, there, JobIndex.at(field, Map.of("properties", tags)));
                if (sizeField != null) {
                    JobIndex.complete(client, there, JobIndex.at(sizeField, Map.of("type", "integer")));
                }
            }
        }

        private static String parent(String path) {
            return path.substring(0, Math.max(0, path.lastIndexOf('.')));
        }

        public List<String> names() {
            return FingerprintFields.TAG.stream().map(part -> path(field, part)).toList();
        }

        /** The longest id, in characters, that an index can find in a part of a tag. */
        int longestId(IndexMetadata index, String part) {
            WholeField found = index == null ? null : new IndexMapping(index).whole(path(field, part));
            return found == null ? Integer.MAX_VALUE : found.longest();
        }
    }
}
