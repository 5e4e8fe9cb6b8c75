/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.translog.Translog;
import org.opensearch.transport.client.Client;

/**
 * Makes the indices that jobs write into, where they do not exist: their documents go through no ingest pipeline, whatever
 * templates say, and copies of removed documents are kept as they were, without their fields being mapped.
 */
final class ArchiveIndex {

    /** The object, in the copy of a removed document, that tells where it was. */
    static final String ORIGIN = "simhash_archive";

    private static final Logger LOGGER = LogManager.getLogger(ArchiveIndex.class);
    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);
    private static final Map<String, Object> KEYWORD = Map.of("type", "keyword");

    private ArchiveIndex() {}

    /** An index for copies of removed documents, which has its replicas and keeps whole documents whatever templates say. */
    static void create(Client client, ClusterService cluster, String name, DeduplicateTask task) {
        create(client, cluster, name, PATIENCE, task);
    }

    /** @param patience how long the replicas are waited for */
    static void create(Client client, ClusterService cluster, String name, TimeValue patience, DeduplicateTask task) {
        Map<String, Object> origin = Map.of(
                "properties",
                Map.of(
                        "run",
                        KEYWORD,
                        "index",
                        KEYWORD,
                        "index_uuid",
                        KEYWORD,
                        "id",
                        KEYWORD,
                        "routing",
                        KEYWORD,
                        "version",
                        Map.of("type", "long"),
                        "seq_no",
                        Map.of("type", "long"),
                        "primary_term",
                        Map.of("type", "long"),
                        "duplicate_of",
                        Map.of("properties", Map.of("index", KEYWORD, "id", KEYWORD))));
        if (cluster.state().metadata().getIndicesLookup().containsKey(name) == false) {
            // A copy that is confirmed and then goes with the machine is no copy.
            Settings settings = Settings.builder()
                    .put(
                            IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.getKey(),
                            Translog.Durability.REQUEST.name().toLowerCase(Locale.ROOT))
                    .build();
            create(client, name, settings, Map.of("dynamic", false, "properties", Map.of(ORIGIN, origin)));
        }
        ArchiveReplicas.require(cluster, client.threadPool(), name, patience, task);
        IndexMetadata index = writeIndex(cluster.state(), name);
        WholeSource.requireInArchive(index);
        mapOrigin(client, index, origin);
    }

    /** Whether copies of removed documents are kept in an index; null for one that is not there. */
    static boolean isArchive(IndexMetadata index) {
        return index != null && mapsOrigin(index);
    }

    /** Copies go into the write index of an alias. */
    static IndexMetadata writeIndex(ClusterState state, String archive) {
        return written(state, archive).orElseThrow(() -> new IndexNotFoundException(archive));
    }

    /** The same, when it is there. */
    static Optional<IndexMetadata> written(ClusterState state, String archive) {
        return Optional.ofNullable(state.metadata().getIndicesLookup().get(archive))
                .map(IndexAbstraction::getWriteIndex);
    }

    private static boolean mapsOrigin(IndexMetadata index) {
        return index.mapping() != null
                && XContentMapValues.extractValue(
                                "properties." + ORIGIN, index.mapping().sourceAsMap())
                        != null;
    }

    /** An archive that somebody else made has to find its documents by their run, too. */
    private static void mapOrigin(Client client, IndexMetadata index, Map<String, Object> origin) {
        if (mapsOrigin(index) == false) {
            client.admin()
                    .indices()
                    .preparePutMapping(index.getIndex().getName())
                    .setSource(Map.of("properties", Map.of(ORIGIN, origin)))
                    .get();
        }
    }

    /** An index for groups. */
    static void createForGroups(Client client, ClusterState state, String name) {
        Map<String, Object> document = Map.of("properties", Map.of("index", KEYWORD, "id", KEYWORD));
        Map<String, Object> member = Map.of(
                "properties",
                Map.of(
                        "index",
                        KEYWORD,
                        "id",
                        KEYWORD,
                        "distance",
                        Map.of("type", "integer"),
                        "similarity",
                        Map.of("type", "double")));
        Map<String, Object> properties = new HashMap<>();
        properties.put("run", KEYWORD);
        properties.put("survivor", document);
        properties.put("size", Map.of("type", "integer"));
        properties.put("largest_distance", Map.of("type", "integer"));
        properties.put("lowest_similarity", Map.of("type", "double"));
        properties.put("members", member);
        properties.put("parameters", Map.of("type", "object", "enabled", false));
        if (state.metadata().getIndicesLookup().containsKey(name) == false) {
            create(client, name, Settings.EMPTY, Map.of("properties", properties));
        }
    }

    private static void create(Client client, String name, Settings settings, Map<String, Object> mapping) {
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
}
