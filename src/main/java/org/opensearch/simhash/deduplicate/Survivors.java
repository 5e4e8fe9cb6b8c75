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

    /** Those whose survivor is there as it was read; the others count as conflicts. */
    List<Duplicate> unchanged(List<Duplicate> batch) {
        Map<Integer, GetResponse> found = documents.get(batch.stream().mapToInt(Duplicate::survivor));
        List<Duplicate> unchanged = new ArrayList<>();
        for (Duplicate duplicate : batch) {
            int survivor = duplicate.survivor();
            GetResponse now = found.get(survivor);
            if (now != null
                    && now.getSeqNo() == table.sequenceNumber(survivor)
                    && now.getPrimaryTerm() == table.primaryTerm(survivor)) {
                unchanged.add(duplicate);
            } else {
                outcome.conflicts++;
            }
        }
        return unchanged;
    }
}
