/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.action.get.GetResponse;
import org.opensearch.simhash.deduplicate.Removal.Duplicate;

/** Of a survivor that was changed, or is gone, no duplicate may go. */
final class Survivors {

    private final LiveDocuments documents;
    private final DocumentTable table;
    private final Outcome outcome;

    Survivors(LiveDocuments documents, JobWrites job) {
        this.documents = documents;
        this.table = job.table();
        this.outcome = job.outcome();
    }

    /**
     * Those whose survivor is there as it was read; the others count as conflicts, those whose survivor could not be read as
     * failures.
     */
    List<Duplicate> unchanged(List<Duplicate> batch) {
        Map<Integer, GetResponse> read = documents.read(batch.stream().mapToInt(Duplicate::survivor));
        List<Duplicate> unchanged = new ArrayList<>();
        for (Duplicate duplicate : batch) {
            GetResponse survivor = read.get(duplicate.survivor());
            if (survivor != null && isUnchanged(duplicate, survivor)) {
                unchanged.add(duplicate);
            } else if (survivor != null) {
                outcome.conflicts++;
            }
        }
        return unchanged;
    }

    private boolean isUnchanged(Duplicate duplicate, GetResponse survivor) {
        return survivor.isExists()
                && survivor.getSeqNo() == table.sequenceNumber(duplicate.survivor())
                && survivor.getPrimaryTerm() == table.primaryTerm(duplicate.survivor());
    }
}
