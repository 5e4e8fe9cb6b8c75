/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

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
import org.opensearch.transport.client.Client;

/** An index that a job creates. Its documents pass no ingest pipeline, whatever templates say. */
public final class JobIndex {

    /** The mapping of a field that is looked up as a whole. */
    public static final Map<String, Object> KEYWORD = Map.of("type", "keyword");

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
}
