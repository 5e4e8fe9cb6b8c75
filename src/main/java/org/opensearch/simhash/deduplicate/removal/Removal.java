/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.JobCount;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.deduplicate.write.BulkWrites;
import org.opensearch.simhash.deduplicate.write.JobWrites;

/**
 * Deletes near-duplicates, batch by batch: copies them into the archive, reads the copies back, makes sure that the survivors are
 * still there as they were read, and only then deletes, each document under the condition that it is as it was read. Whatever
 * fails or has changed stays, and its copy is taken back. A run that ended early leaves copies of documents that are still
 * there; the next run replaces them.
 */
public final class Removal {

    private final int batchSize;
    private final DocumentTable table;

    /** Null when nothing is archived. */
    private final ArchiveCopies archive;

    private final ReadSlices slices;
    private final Survivors survivors;
    private final BulkWrites writes;
    private final JobTask task;
    private final Outcome outcome;

    /** A document to delete, and its survivor, by their ranks in the table. */
    record Duplicate(int rank, int survivor) {}

    public Removal(JobWrites job) {
        this.batchSize = job.run().task().pace().scrollSize();
        this.table = job.table();
        Retries retries = new Retries(job.run().task()::ensureNotCancelled);
        RetriedGets gets = new RetriedGets(job.run().client(), retries, job.outcome());
        LiveDocuments documents = new LiveDocuments(job, gets);
        this.survivors = new Survivors(documents, job);
        this.archive =
                job.run().options().archive() == null ? null : new ArchiveCopies(job, survivors, documents, gets);
        this.slices = new ReadSlices(job.run().memory(), retries);
        this.writes = job.bulks();
        this.task = job.run().task();
        this.outcome = job.outcome();
    }

    public void write(List<Group> groups) {
        List<Duplicate> batch = new ArrayList<>();
        for (Group group : groups) {
            for (int member : group.members()) {
                batch.add(new Duplicate(member, group.survivor()));
                if (batch.size() >= batchSize) {
                    remove(batch);
                    batch.clear();
                }
            }
        }
        if (batch.isEmpty() == false) {
            remove(batch);
        }
    }

    private void remove(List<Duplicate> batch) {
        if (outcome.isStopped()) {
            return;
        }
        if (archive == null) {
            task.ensureNotCancelled();
            delete(batch);
            task.step(batch.size());
            return;
        }
        for (int from = 0; from < batch.size() && outcome.isStopped() == false; ) {
            task.ensureNotCancelled();
            try (ReadSlices.Slice slice = slices.next()) {
                archive.takeBack(delete(archive.copy(batch.subList(from, batch.size()), slice)));
                from += slice.size();
                task.step(slice.size());
            }
        }
    }

    /** Returns those that have certainly not been deleted. */
    private Set<Duplicate> delete(List<Duplicate> removable) {
        Set<Duplicate> kept = new HashSet<>(removable);
        // While it is not their turn, or there is no room for them, survivors may go.
        writes.send(removable, survivors::unchanged, this::deletion, (duplicate, answer) -> {
            if (writes.succeeded(answer)) {
                outcome.add(JobCount.DELETED, 1);
                task.written(1);
                kept.remove(duplicate);
            } else if (BulkWrites.isRefused(answer) == false) {
                kept.remove(duplicate); // It may be gone all the same.
            }
        });
        return kept;
    }

    private DeleteRequest deletion(Duplicate duplicate) {
        int rank = duplicate.rank;
        return new DeleteRequest(table.indexOf(rank), table.id(rank))
                .routing(table.routing(rank))
                .setIfSeqNo(table.sequenceNumber(rank))
                .setIfPrimaryTerm(table.primaryTerm(rank));
    }
}
