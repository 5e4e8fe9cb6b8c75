/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/** An index that a job creates. Its documents pass no ingest pipeline, whatever templates say. */
public final class JobIndex {

    /** The mapping of a field that is looked up as a whole. */
    public static final Map<String, Object> KEYWORD = Map.of("type", "keyword");

    private static final List<String> OF_OBJECTS = List.of("type", "include_in_root", "include_in_parent");

    private static final Logger LOGGER = LogManager.getLogger(JobIndex.class);

    private JobIndex() {}

    /** Creates it, unless somebody else has done so meanwhile. Blocks its thread. */
    public static void create(Client client, String name, Settings settings, Map<String, Object> mapping) {
        try {
            client.admin()
                    .indices()
                    .prepareCreate(name)
                    .setSettings(Settings.builder()
                            .put(settings)
                            .put(IndexSettings.DEFAULT_PIPELINE.getKey(), "_none")
                            .put(IndexSettings.FINAL_PIPELINE.getKey(), "_none"))
                    .setMapping(mapping)
                    .get();
        } catch (ResourceAlreadyExistsException e) {
            LOGGER.debug("somebody else made it meanwhile", e);
        }
    }

    /** Maps what an index does not map yet. The objects around it stay what they are, such as nested. Blocks its thread. */
    public static void complete(Client client, IndexMetadata index, Map<String, Object> fields) {
        Map<String, Object> missing = missing(new IndexMapping(index), "", fields);
        if (missing.isEmpty() == false) {
            client.admin()
                    .indices()
                    .preparePutMapping(index.getIndex().getName())
                    .setSource(Map.of("properties", missing))
                    .get();
        }
    }

    private static Map<String, Object> missing(IndexMapping mapping, String above, Map<?, ?> fields) {
        Map<String, Object> missing = new HashMap<>();
        fields.forEach((name, definition) -> {
            String path = above + name;
            if (mapping.maps(path) == false) {
                missing.put((String) name, definition);
            } else if (mapping.isObject(path)
                    && ((Map<?, ?>) definition).get("properties") instanceof Map<?, ?> below) {
                Map<String, Object> parts = missing(mapping, path + ".", below);
                if (parts.isEmpty() == false) {
                    Map<String, Object> object = new HashMap<>(Map.of("properties", parts));
                    OF_OBJECTS.forEach(kept -> object.computeIfAbsent(
                            kept, any -> mapping.definition(path).get(kept)));
                    missing.put((String) name, object);
                }
            }
        });
        return missing;
    }

    /** The definition of a field with dots in its name. */
    public static Map<String, Object> at(String path, Map<String, Object> definition) {
        int dot = path.indexOf('.');
        return dot < 0
                ? Map.of(path, definition)
                : Map.of(path.substring(0, dot), Map.of("properties", at(path.substring(dot + 1), definition)));
    }

    /** What keeps each document of an index as it is, after "which"; null if nothing does. */
    public static String unchangeable(IndexMetadata index) {
        return index.isAppendOnlyIndex()
                ? "is append-only"
                : index.useIngestionSource() ? "pulls its documents ([index.ingestion_source])" : null;
    }

    /** The index that is written by a name of an index or an alias; empty if there is none. */
    public static Optional<IndexMetadata> written(ClusterState state, String name) {
        return Optional.ofNullable(state.metadata().getIndicesLookup().get(name))
                .map(IndexAbstraction::getWriteIndex);
    }

    /** The name of that index, or of the one to create. */
    public static String nameOf(ClusterState state, String name) {
        return written(state, name).map(index -> index.getIndex().getName()).orElse(name);
    }
}
