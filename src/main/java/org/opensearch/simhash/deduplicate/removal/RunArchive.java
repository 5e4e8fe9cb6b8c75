/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.deduplicate.write.JobWrites;

/** The archive of a run, as it was when the run began to copy. One that was deleted and made again is another one. */
final class RunArchive {

    private final ClusterService cluster;

    /** What the run copies to, which may be an alias; null for nothing. */
    private final String name;

    /** Null when there is none. */
    private final Index index;

    /** It is there when anything is copied. */
    RunArchive(JobWrites job) {
        this.cluster = job.run().services().cluster();
        this.name = job.run().options().archive();
        this.index = name == null
                ? null
                : ArchiveIndex.written(cluster.state(), name)
                        .map(IndexMetadata::getIndex)
                        .orElse(null);
    }

    /** What was copied has gone with the archive, and bulk requests would make another one, without its mapping. */
    void requireThere() {
        Metadata metadata = cluster.state().metadata();
        if (name != null
                && (index == null
                        || metadata.index(index) == null
                        || metadata.getIndicesLookup().containsKey(name) == false)) {
            throw new OpenSearchStatusException(
                    "[archive] must stay as long as the job runs, and was deleted, got: " + name, RestStatus.CONFLICT);
        }
    }
}
