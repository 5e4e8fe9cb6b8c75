/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.deduplicate.scan.PointInTime;

/**
 * The indices of a run, as they were when it began. One that was deleted and made again is another one: its documents may have
 * the ids and sequence numbers of those that were read.
 */
final class RunIndices {

    private final ClusterService cluster;
    private final PointInTime pointInTime;
    private final DocumentTable table;

    /** What the run copies to, which may be an alias; null for nothing. */
    private final String archive;

    /** Null when there is none. */
    private final Index archiveIndex;

    /** The archive is there when anything is copied. */
    RunIndices(JobWrites job) {
        this.cluster = job.run().services().cluster();
        this.pointInTime = job.run().pointInTime();
        this.table = job.table();
        this.archive = job.run().options().archive();
        this.archiveIndex = archive == null
                ? null
                : ArchiveIndex.written(cluster.state(), archive)
                        .map(IndexMetadata::getIndex)
                        .orElse(null);
    }

    /** Of a document of the table. */
    Index of(int rank) {
        return pointInTime
                .shards()
                .get(pointInTime.shardOf(table.address(rank)))
                .getIndex();
    }

    boolean isThere(Index index) {
        return cluster.state().metadata().index(index) != null;
    }

    /** What was copied has gone with the archive, and bulk requests would make another one, without its mapping. */
    void requireArchive() {
        Metadata metadata = cluster.state().metadata();
        if (archive != null
                && (archiveIndex == null
                        || metadata.index(archiveIndex) == null
                        || metadata.getIndicesLookup().containsKey(archive) == false)) {
            throw new OpenSearchStatusException(
                    "[archive] must stay as long as the job runs, and was deleted, got: " + archive,
                    RestStatus.CONFLICT);
        }
    }
}
