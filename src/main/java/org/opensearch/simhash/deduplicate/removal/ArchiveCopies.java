/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.job.JobCount;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.removal.Removal.Duplicate;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.write.BulkWrites;
import org.opensearch.simhash.deduplicate.write.JobWrites;

/**
 * Copies documents into the archive before they are deleted, reads the copies back, and takes the copies of those back that stay,
 * one batch after the other.
 */
final class ArchiveCopies {

    private final CopyRequests requests;
    private final Survivors survivors;
    private final LiveDocuments documents;
    private final RetriedGets gets;
    private final BulkWrites writes;
    private final Outcome outcome;
    private final Map<Integer, DocWriteRequest<?>> undo = new HashMap<>();

    /** Nothing copied yet. */
    ArchiveCopies(JobWrites job, Survivors survivors, LiveDocuments documents, RetriedGets gets) {
        this.requests = new CopyRequests(job, gets);
        this.survivors = survivors;
        this.documents = documents;
        this.gets = gets;
        this.writes = job.bulks();
        this.outcome = job.outcome();
    }

    /**
     * Copies the first of the documents, as many as make the slice, if their survivors are as they were; returns those whose copy was
     * read back.
     */
    List<Duplicate> copy(List<Duplicate> batch, ReadSlices.Slice slice) {
        undo.clear();
        Map<Integer, Copy> copies = requests.of(batch, slice);
        List<Duplicate> sent = batch.stream()
                .filter(duplicate -> copies.containsKey(duplicate.rank()))
                .toList();
        Map<Duplicate, DocWriteResponse> written = new HashMap<>();
        writes.send(sent, survivors::unchanged, d -> copies.get(d.rank()).request(), (duplicate, answer) -> {
            if (answer.isFailed() && answer.status() == RestStatus.CONFLICT) {
                outcome.add(JobCount.VERSION_CONFLICTS, 1); // another job has a copy of it there
            } else if (answer.isFailed()) {
                writes.fail(answer);
            } else {
                written.put(duplicate, answer.getResponse());
                undo.put(duplicate.rank(), copies.get(duplicate.rank()).undo(answer.getResponse()));
                outcome.add(JobCount.ARCHIVED, 1);
            }
        });
        List<Duplicate> confirmed = new ArrayList<>();
        List<Duplicate> lost = new ArrayList<>();
        readBack(written, confirmed, lost);
        takeBack(lost);
        return confirmed;
    }

    private void readBack(Map<Duplicate, DocWriteResponse> written, List<Duplicate> confirmed, List<Duplicate> lost) {
        Function<Duplicate, MultiGetRequest.Item> request = duplicate -> {
            DocWriteResponse copy = written.get(duplicate);
            return new MultiGetRequest.Item(copy.getIndex(), copy.getId())
                    .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE);
        };
        BiConsumer<Duplicate, GetResponse> got = (duplicate, found) -> {
            DocWriteResponse copy = written.get(duplicate);
            if (found.isExists() && found.getSeqNo() == copy.getSeqNo()) {
                confirmed.add(duplicate);
            } else {
                lost.add(duplicate);
                if (found.isExists()) {
                    outcome.add(JobCount.VERSION_CONFLICTS, 1); // another job took the copy over
                } else {
                    outcome.fail(copy.getIndex(), copy.getId(), "the copy was not found again", RestStatus.CONFLICT);
                }
            }
        };
        gets.get(List.copyOf(written.keySet()), request, got, (duplicate, reason, status) -> {
            DocWriteResponse copy = written.get(duplicate);
            lost.add(duplicate);
            outcome.fail(copy.getIndex(), copy.getId(), "the copy cannot be read: " + reason.getMessage(), status);
        });
    }

    /**
     * Takes the batch's copies of these documents back, which were not deleted. The copy of one that is not there stays: a node
     * that died may have deleted it and not said so.
     */
    void takeBack(Collection<Duplicate> kept) {
        Map<Integer, GetResponse> there = documents.get(kept.stream().mapToInt(Duplicate::rank));
        List<DocWriteRequest<?>> undone = new ArrayList<>();
        there.keySet().forEach(rank -> undone.add(undo.get(rank)));
        writes.send(undone, all -> all, request -> request, (request, answer) -> {
            if (answer.isFailed() == false || BulkWrites.isConflict(answer)) {
                outcome.add(JobCount.ARCHIVED, -1);
            } else {
                writes.fail(answer);
            }
        });
    }
}
