/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.get.GetResponse;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.JobCount;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.removal.Removal.Duplicate;
import org.opensearch.simhash.deduplicate.write.JobWrites;

/**
 * Of a survivor that was changed, or is gone, no duplicate may go, nor any document of an index that was replaced, or any at all
 * when the archive is gone.
 */
final class Survivors {

    private final LiveDocuments documents;
    private final DocumentTable table;
    private final ClusterService cluster;
    private final Outcome outcome;

    /** What the run copies to, which may be an alias; null for nothing. */
    private final String archive;

    /** As it was when the run began to copy: one that was deleted and made again is another one. Null when there is none. */
    private final Index archiveIndex;

    /** The archive is there when anything is copied. */
    Survivors(LiveDocuments documents, JobWrites job) {
        this.documents = documents;
        this.table = job.table();
        this.cluster = job.run().services().cluster();
        this.outcome = job.outcome();
        this.archive = job.run().options().archive();
        this.archiveIndex = archive == null
                ? null
                : ArchiveIndex.written(cluster.state(), archive)
                        .map(IndexMetadata::getIndex)
                        .orElse(null);
    }

    /**
     * Those whose survivor is there as it was read; the others count as conflicts, those whose survivor could not be read as
     * failures. Throws when the archive is gone.
     */
    List<Duplicate> unchanged(List<Duplicate> batch) {
        Map<Integer, GetResponse> read = documents.read(batch.stream().mapToInt(Duplicate::survivor));
        // Only now: an index that is the same after its documents were read was so before.
        requireArchive();
        List<Duplicate> unchanged = new ArrayList<>();
        for (Duplicate duplicate : batch) {
            if (isUnchanged(duplicate, read.get(duplicate.survivor()))) {
                unchanged.add(duplicate);
            } else if (read.containsKey(duplicate.survivor())) {
                outcome.add(JobCount.VERSION_CONFLICTS, 1);
            }
        }
        return unchanged;
    }

    /** @param survivor null when it is gone, or could not be read */
    private boolean isUnchanged(Duplicate duplicate, GetResponse survivor) {
        return survivor != null
                && survivor.getSeqNo() == table.sequenceNumber(duplicate.survivor())
                && survivor.getPrimaryTerm() == table.primaryTerm(duplicate.survivor())
                && isThere(table.index(duplicate.survivor()))
                && isThere(table.index(duplicate.rank()));
    }

    private boolean isThere(Index index) {
        return cluster.state().metadata().index(index) != null;
    }

    /** What was copied has gone with the archive, and bulk requests would make another one, without its mapping. */
    private void requireArchive() {
        if (archive != null
                && (archiveIndex == null
                        || isThere(archiveIndex) == false
                        || cluster.state().metadata().getIndicesLookup().containsKey(archive) == false)) {
            throw new OpenSearchStatusException(
                    "[archive] must stay as long as the job runs, and was deleted, got: " + archive,
                    RestStatus.CONFLICT);
        }
    }
}
