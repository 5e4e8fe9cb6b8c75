/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.action.get.GetResponse;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.JobCount;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.removal.Removal.Duplicate;
import org.opensearch.simhash.deduplicate.write.JobWrites;
import org.opensearch.simhash.deduplicate.write.RunIndices;

/**
 * Of a survivor that was changed, or is gone, no duplicate may go, nor any document of an index that was replaced, or any at all
 * when the archive is gone.
 */
final class Survivors {

    private final LiveDocuments documents;
    private final DocumentTable table;
    private final RunIndices indices;
    private final RunArchive archive;
    private final Outcome outcome;

    Survivors(LiveDocuments documents, JobWrites job) {
        this.documents = documents;
        this.table = job.table();
        this.indices = new RunIndices(job);
        this.archive = new RunArchive(job);
        this.outcome = job.outcome();
    }

    /**
     * Those whose survivor is there as it was read; the others count as conflicts, those whose survivor could not be read as
     * failures. Throws when the archive is gone.
     */
    List<Duplicate> unchanged(List<Duplicate> batch) {
        Map<Integer, GetResponse> read = documents.read(batch.stream().mapToInt(Duplicate::survivor));
        // Only now: an index that is the same after its documents were read was so before.
        archive.requireThere();
        List<Duplicate> unchanged = new ArrayList<>();
        for (Duplicate duplicate : batch) {
            GetResponse survivor = read.get(duplicate.survivor());
            if (survivor != null && isUnchanged(duplicate, survivor)) {
                unchanged.add(duplicate);
            } else if (survivor != null) {
                outcome.add(JobCount.VERSION_CONFLICTS, 1);
            }
        }
        return unchanged;
    }

    private boolean isUnchanged(Duplicate duplicate, GetResponse survivor) {
        return survivor.isExists()
                && survivor.getSeqNo() == table.sequenceNumber(duplicate.survivor())
                && survivor.getPrimaryTerm() == table.primaryTerm(duplicate.survivor())
                && indices.isThere(indices.of(duplicate.survivor()))
                && indices.isThere(indices.of(duplicate.rank()));
    }
}
