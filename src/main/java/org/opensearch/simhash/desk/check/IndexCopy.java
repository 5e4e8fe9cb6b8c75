/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.simhash.jobs.write.JobIndex;

/**
 * A copy of an index that maps the fingerprint right. All else is as in the index, the aliases move at once, and no pipeline runs
 * meanwhile: it would change documents. Where no copy can be like the index, words say what to do.
 */
record IndexCopy(CheckedIndex index, int segments) {

    /** Blocks of what an index has beside documents. */
    private static final Set<String> UNCHANGEABLE = Set.of(
            IndexMetadata.SETTING_READ_ONLY,
            IndexMetadata.SETTING_READ_ONLY_ALLOW_DELETE,
            IndexMetadata.SETTING_BLOCKS_METADATA);

    private static final String ROLLED_OVER = "(.*)(-\\d{6})";

    String mend() {
        if (index.isOwnField()) {
            return "[" + index.fingerprint() + "] is a field of the index's own: POST /_plugins/_simhash/setup/"
                    + index.name() + " gives the " + index.kind().noun() + " another [target_field].";
        }
        String obstacle = obstacle();
        return obstacle == null
                ? requests()
                : "No copy can be like the index, which " + obstacle
                        + ". Change that, or index the documents again, from"
                        + " where they came, into one that maps [" + index.fingerprint()
                        + "] as the plugin's config/index-template.json does.";
    }

    /** Null if a copy can be like the index. */
    private String obstacle() {
        Settings settings = index.metadata().getSettings();
        if (index.isInDataStream()) {
            return "belongs to a data stream";
        }
        if (index.mapping().leavesOut() != null) {
            return "has " + index.mapping().leavesOut();
        }
        if (settings.getAsBoolean("index.derived_source.enabled", false)) {
            return "derives documents from fields";
        }
        if (IndexModule.Type.REMOTE_SNAPSHOT.match(settings)) {
            return "is a searchable snapshot";
        }
        return UNCHANGEABLE.stream().anyMatch(block -> settings.getAsBoolean(block, false))
                ? "is read-only, so that its aliases cannot move"
                : JobIndex.unchangeable(index.metadata());
    }

    private String requests() {
        String name = index.name();
        boolean isRolledOver = name.matches(ROLLED_OVER)
                && index.metadata().getAliases().values().stream().anyMatch(AliasMetadata::writeIndex);
        String copy = isRolledOver ? name.replaceFirst(ROLLED_OVER, "$1-remapped$2") : name + "-remapped";
        Map<String, Object> settings = settings();
        Map<String, Object> later = new TreeMap<>();
        Stream.of(IndexSettings.DEFAULT_PIPELINE.getKey(), IndexSettings.FINAL_PIPELINE.getKey())
                .forEach(pipeline -> later.put(pipeline, settings.put(pipeline, "_none")));
        List.copyOf(settings.keySet()).stream()
                .filter(key -> key.startsWith("index.blocks."))
                .forEach(block -> later.put(block, settings.remove(block)));
        Map<String, Object> source =
                Map.of("index", name, "size", index.documents().atOnce());
        Map<String, Object> reindex = Map.of(
                "conflicts", "proceed",
                "source", MendingRequest.asStored(index, source),
                "dest", Map.of("index", copy, "version_type", "external"));
        String requests = String.join(
                "\n\n",
                MendingRequest.of(
                        "PUT", "/" + MendingRequest.encoded(copy), Map.of("settings", settings, "mappings", mapping())),
                MendingRequest.of("POST", "/_reindex?refresh=true", reindex),
                MendingRequest.of("PUT", "/" + MendingRequest.encoded(copy) + "/_settings", later));
        return index.metadata().getAliases().isEmpty() ? requests : requests + "\n\n" + moved(copy);
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = MendingRequest.asMap(index.metadata().getSettings());
        IndexScopedSettings known = IndexScopedSettings.DEFAULT_SCOPED_SETTINGS;
        settings.keySet()
                .removeIf(key -> key.startsWith("archived.")
                        || known.isPrivateSetting(key)
                        || (known.get(key) != null && known.get(key).isPrivateIndex()));
        return settings;
    }

    private Map<String, Object> mapping() {
        Map<String, Object> mapping = index.metadata().mapping().sourceAsMap();
        Map<String, Object> object = mapping;
        for (String name : index.fingerprint().split("\\.", -1)) {
            object = child(child(object, "properties"), name);
        }
        if ("nested".equals(object.get("type")) == false) {
            object.keySet().retainAll(Set.of("properties", "dynamic"));
        }
        child(object, "properties").putAll(index.kind().partsAndTags(segments));
        return mapping;
    }

    @SuppressWarnings("unchecked") // as parsed from JSON
    private static Map<String, Object> child(Map<String, Object> object, String name) {
        return (Map<String, Object>) object.computeIfAbsent(name, any -> new LinkedHashMap<>());
    }

    private String moved(String copy) {
        Stream<Map<String, Object>> actions = index.metadata().getAliases().values().stream()
                .flatMap(alias -> {
                    Map<String, Object> added = new LinkedHashMap<>(Map.of("index", copy, "alias", alias.alias()));
                    added.putAll(child(MendingRequest.asMap(alias), alias.alias()));
                    return Stream.of(
                            Map.of("add", added),
                            Map.of("remove", Map.of("index", index.name(), "alias", alias.alias())));
                });
        return MendingRequest.of("POST", "/_aliases", Map.of("actions", actions.toList()));
    }
}
