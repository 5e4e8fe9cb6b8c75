/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexSettings;
import org.opensearch.transport.client.Client;

/**
 * Makes the indices that jobs write into, where they do not exist: their documents go through no ingest pipeline, whatever
 * templates say, and copies of removed documents are kept as they were, without their fields being mapped.
 */
final class ArchiveIndex {

    /** The object, in the copy of a removed document, that tells where it was. */
    static final String ORIGIN = "simhash_archive";

    private static final Map<String, Object> KEYWORD = Map.of("type", "keyword");

    private ArchiveIndex() {}

    /** An index for copies of removed documents, which has its replicas and keeps whole documents whatever templates say. */
    static void create(Client client, ClusterService cluster, String name) {
        ClusterState state = cluster.state();
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
        boolean isComplete = true;
        if (state.metadata().getIndicesLookup().containsKey(name)) {
            mapOrigin(client, state, name, origin);
        } else {
            isComplete = create(client, state, name, Map.of("dynamic", false, "properties", Map.of(ORIGIN, origin)));
        }
        IndexAbstraction archive = cluster.state().metadata().getIndicesLookup().get(name);
        if (isComplete == false || archive == null) {
            throw new OpenSearchStatusException(
                    "[archive] must have all its replicas before anything is deleted, and not all are there, got: "
                            + name,
                    RestStatus.SERVICE_UNAVAILABLE);
        }
        WholeSource.requireInArchive(archive.getWriteIndex());
    }

    /** An archive that somebody else made has to find its documents by their run, too. */
    private static void mapOrigin(Client client, ClusterState state, String name, Map<String, Object> origin) {
        IndexMetadata index = state.metadata().getIndicesLookup().get(name).getWriteIndex();
        Map<String, Object> mapping =
                index.mapping() == null ? Map.of() : index.mapping().sourceAsMap();
        if (XContentMapValues.extractValue("properties." + ORIGIN, mapping) == null) {
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
            create(client, state, name, Map.of("properties", properties));
        }
    }

    /** Whether all of its copies are there. */
    private static boolean create(Client client, ClusterState state, String name, Map<String, Object> mapping) {
        Settings settings = Settings.builder()
                .put(IndexSettings.DEFAULT_PIPELINE.getKey(), "_none")
                .put(IndexSettings.FINAL_PIPELINE.getKey(), "_none")
                .build();
        try {
            return client.admin()
                    .indices()
                    .prepareCreate(name)
                    .setSettings(settings)
                    .setMapping(mapping)
                    // What is deleted lives on in here: a copy on one node only would go with that node.
                    .setWaitForActiveShards(
                            state.nodes().getDataNodes().size() > 1 ? ActiveShardCount.ALL : ActiveShardCount.DEFAULT)
                    .get()
                    .isShardsAcknowledged();
        } catch (ResourceAlreadyExistsException e) {
            return true; // Somebody else made it meanwhile.
        }
    }
}
