/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.index.Index;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.scan.PointInTime;

/**
 * The indices of a run, as they were when it began. One that was deleted and made again is another one: its documents may have
 * the ids and sequence numbers of those that were read.
 */
public final class RunIndices {

    private final ClusterService cluster;
    private final PointInTime pointInTime;
    private final DocumentTable table;

    public RunIndices(JobWrites job) {
        this.cluster = job.run().services().cluster();
        this.pointInTime = job.run().pointInTime();
        this.table = job.table();
    }

    /** Of a document of the table. */
    public Index of(int rank) {
        return pointInTime
                .shards()
                .get(pointInTime.shardOf(table.address(rank)))
                .getIndex();
    }

    public boolean isThere(Index index) {
        return cluster.state().metadata().index(index) != null;
    }
}
