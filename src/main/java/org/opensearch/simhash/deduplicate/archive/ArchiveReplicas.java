/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.archive;

import java.util.Optional;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.UnassignedInfo;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.write.JobIndex;

/**
 * Waits until an archive has the replicas that its settings ask for. A copy on one node only would be lost with that node. Does
 * not wait for replicas of a node that left, as no write of OpenSearch does: they are made again elsewhere after a minute.
 */
final class ArchiveReplicas {

    private ArchiveReplicas() {}

    /**
     * @param archive an index or an alias; this node may not know it yet
     * @param patience the longest wait
     * @param task ends the wait if it is cancelled
     * @throws OpenSearchStatusException if replicas are missing at the end (HTTP 503)
     */
    static void require(ClusterService cluster, String archive, TimeValue patience, JobTask task) {
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
}
