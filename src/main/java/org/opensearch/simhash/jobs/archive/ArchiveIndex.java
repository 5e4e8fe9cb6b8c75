/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.archive;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.UnassignedInfo;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.translog.Translog;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.JobIndex;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.IndexMapping.WholeField;
import org.opensearch.transport.client.Client;

/** The index for copies of deleted documents. It keeps them unchanged and does not map their fields. */
public final class ArchiveIndex {

    /** Of the earlier version of a survivor: hashes of what it has become. */
    public static final String MERGED = "merged";

    public static final String ORIGIN = Archives.ORIGIN;

    /** A restore finds copies by their run, */
    public static final String RUN = ORIGIN + ".run";

    /** and by the index of their document. */
    public static final String INDEX = ORIGIN + ".index";

    /** When the run began to copy, in milliseconds since 1970. */
    public static final String ARCHIVED_AT = ORIGIN + ".archived_at";

    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

    private ArchiveIndex() {}

    /** Creates the index if it does not exist. It keeps whole documents and has replicas, whatever templates say. */
    public static void create(Client client, ClusterService cluster, String name, JobTask task) {
        create(client, cluster, name, PATIENCE, task);
    }

    /** @param patience how long to wait for replicas */
    static void create(Client client, ClusterService cluster, String name, TimeValue patience, JobTask task) {
        Map<String, Object> place = Map.of("index", JobIndex.KEYWORD, "id", JobIndex.KEYWORD);
        Map<String, Object> fields = new HashMap<>(place);
        List.of("run", "index_uuid", "routing").forEach(field -> fields.put(field, JobIndex.KEYWORD));
        List.of("version", "seq_no", "primary_term").forEach(field -> fields.put(field, Map.of("type", "long")));
        fields.put("archived_at", Map.of("type", "date", "format", "epoch_millis"));
        fields.put("duplicate_of", Map.of("properties", place));
        Map<String, Object> origin = Map.of("properties", fields);
        if (cluster.state().metadata().getIndicesLookup().containsKey(name) == false) {
            // A confirmed copy must survive a crash.
            Settings settings = Settings.builder()
                    .put(
                            IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.getKey(),
                            Translog.Durability.REQUEST.name().toLowerCase(Locale.ROOT))
                    .build();
            JobIndex.create(client, name, settings, Map.of("dynamic", false, "properties", Map.of(ORIGIN, origin)));
        }
        requireReplicas(cluster, name, patience, task);
        IndexMetadata index = writeIndex(cluster.state(), name);
        ArchiveCheck.require(index);
        JobIndex.complete(client, index, Map.of(ORIGIN, origin));
    }

    public static IndexMetadata writeIndex(ClusterState state, String archive) {
        return JobIndex.written(state, archive).orElseThrow(() -> new IndexNotFoundException(archive));
    }

    /** Refuses filtered aliases, which hide copies from a restore. */
    public static void requireWhole(ClusterState state, Set<String> names) {
        for (String name : names) {
            IndexAbstraction found = state.metadata().getIndicesLookup().get(name);
            if (found != null && found.getType() == IndexAbstraction.Type.ALIAS) {
                found.getIndices().stream()
                        .filter(index -> names.contains(index.getIndex().getName()) == false)
                        .forEach(index -> requireWhole(index, name));
            }
        }
    }

    private static void requireWhole(IndexMetadata index, String name) {
        AliasMetadata alias = index.getAliases().get(name);
        boolean isRouted = alias.indexRouting() != null || alias.searchRouting() != null;
        if (alias.filteringRequired() || isRouted) {
            throw new IllegalArgumentException(
                    "[archive] must be an index, or an alias without filter and routing, got: "
                            + name + ", which has " + (isRouted ? "routing" : "a filter") + " in ["
                            + index.getIndex().getName() + "]");
        }
    }

    /**
     * Waits until an archive has the replicas that its settings ask for. A copy on one node only would be lost with that node.
     * Does not wait for replicas of a node that left, as no write of OpenSearch does: they are made again elsewhere after a minute.
     *
     * @param archive an index or an alias; this node may not know it yet
     * @throws OpenSearchStatusException if replicas are missing at the end (HTTP 503)
     */
    static void requireReplicas(ClusterService cluster, String archive, TimeValue patience, JobTask task) {
        long end = System.nanoTime() + patience.nanos();
        task.retries().waitUntil(() -> areThere(cluster.state(), archive) ? System.nanoTime() : end);
        if (areThere(cluster.state(), archive) == false) {
            throw new OpenSearchStatusException(
                    "[archive] must have all its replicas before anything is deleted, and not all are there, got: "
                            + archive,
                    RestStatus.SERVICE_UNAVAILABLE);
        }
    }

    private static boolean areThere(ClusterState state, String archive) {
        Optional<IndexMetadata> index = JobIndex.written(state, archive);
        if (index.isEmpty()) {
            return false;
        }
        // One data node has no room for replicas.
        boolean needsReplicas = state.nodes().getDataNodes().size() > 1;
        return state.routingTable().index(index.get().getIndex()).shards().values().stream()
                .flatMap(copies -> copies.shards().stream())
                .allMatch(copy ->
                        copy.active() || (copy.primary() == false && (needsReplicas == false || hasLeft(copy))));
    }

    private static boolean hasLeft(ShardRouting replica) {
        UnassignedInfo why = replica.unassignedInfo();
        return why != null && why.getReason() == UnassignedInfo.Reason.NODE_LEFT;
    }

    /** Checks that an index can hold copies of deleted documents. Runs before anything is read, and before copies are written. */
    public static final class ArchiveCheck {

        private static final int LONGEST = MetadataCreateIndexService.MAX_INDEX_NAME_BYTES;

        private static final String DERIVED = "index.derived_source.enabled";

        private ArchiveCheck() {}

        /** @param archive the index that is written */
        public static void require(IndexMetadata archive) {
            requireChangeable(archive);
            requireWholeSource(archive);
            requireFound(archive);
        }

        /** A restore looks copies up by their run. The job maps what is not mapped yet. */
        private static void requireFound(IndexMetadata archive) {
            IndexMapping mapping = new IndexMapping(archive);
            Map<?, ?> origin = mapping.definition(ArchiveIndex.ORIGIN);
            if (origin != null
                    && (mapping.isObject(ArchiveIndex.ORIGIN) == false || "nested".equals(origin.get("type")))) {
                throw notFound(archive, ArchiveIndex.RUN, ArchiveIndex.ORIGIN, origin);
            }
            for (String path : List.of(ArchiveIndex.RUN, ArchiveIndex.INDEX)) {
                WholeField found = mapping.whole(path);
                if (mapping.maps(path) && (found == null || found.longest() < LONGEST)) {
                    throw notFound(archive, path, path, mapping.definition(path));
                }
            }
        }

        private static IllegalArgumentException notFound(
                IndexMetadata archive, String path, String field, Map<?, ?> mapped) {
            return new IllegalArgumentException("[archive] must find copies by [" + path + "] as a whole, got: "
                    + archive.getIndex().getName() + " with [" + field + "] " + mapped);
        }

        private static void requireChangeable(IndexMetadata archive) {
            String reason = JobIndex.unchangeable(archive);
            if (reason != null) {
                throw new IllegalArgumentException("[archive] must be an index whose copies can be taken back, got: "
                        + archive.getIndex().getName() + ", which " + reason);
            }
        }

        /** What an index leaves out cannot be restored, mapped or not. */
        private static void requireWholeSource(IndexMetadata archive) {
            String reason = archive.getSettings().getAsBoolean(DERIVED, false)
                    ? "[" + DERIVED + "] true"
                    : new IndexMapping(archive).leavesOut();
            if (reason != null) {
                throw new IllegalArgumentException("[archive] must keep the whole _source of documents, got: "
                        + archive.getIndex().getName() + " with " + reason);
            }
        }
    }

    /** A document in the archive that says that a run was restored. No restore takes it for a copy. */
    public record RestoreNote(long at, long restored) {

        private static final String NOTE = "simhash_restored";

        /** No copy has such an id. */
        public static String id(String run) {
            return "restored/" + run;
        }

        /** Null if there is none. */
        public static RestoreNote of(GetResponse found) {
            if (found.isExists() == false) {
                return null;
            }
            Object note = found.isSourceEmpty() ? null : found.getSourceAsMap().get(NOTE);
            if (note instanceof Map<?, ?> fields
                    && fields.get("at") instanceof Number at
                    && at.longValue() >= 0
                    && fields.get("documents") instanceof Number documents
                    && documents.longValue() >= 0) {
                return new RestoreNote(at.longValue(), documents.longValue());
            }
            throw new IllegalArgumentException("[" + NOTE + "] of [" + found.getId()
                    + "] must be an object with [at] and [documents], which are not negative, got: " + note);
        }

        /** Writes the note, or replaces the earlier one, and nothing else. Blocks its thread. */
        public static void write(Client client, String archive, String run, long at, long restored) {
            GetResponse found = client.prepareGet(archive, id(run)).get();
            RestoreNote before = of(found);
            Map<String, Object> note = new HashMap<>();
            note.put("run", run);
            note.put("at", at);
            note.put("documents", restored + (before == null ? 0 : before.restored));
            IndexRequest request = new IndexRequest(archive).id(id(run)).source(Map.of(NOTE, note));
            if (before == null) {
                request.opType(DocWriteRequest.OpType.CREATE);
            } else {
                request.setIfSeqNo(found.getSeqNo()).setIfPrimaryTerm(found.getPrimaryTerm());
            }
            client.index(BulkWrites.asItIs(request)).actionGet();
        }
    }
}
