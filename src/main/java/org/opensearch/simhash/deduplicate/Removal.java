/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.transport.client.Client;

/**
 * Deletes near-duplicates, batch by batch: copies them into the archive, reads the copies back, makes sure that the survivors are
 * still there as they were read, and only then deletes, each document under the condition that it is as it was read. Whatever
 * fails or has changed stays. A run that ended early leaves copies of documents that are still there; the next run replaces
 * them.
 */
final class Removal {

    private final int batchSize;
    private final DocumentTable table;
    private final ArchiveCopies archive;
    private final Client client;
    private final BulkWrites writes;
    private final DeduplicateTask task;
    private final Outcome outcome;

    /** A document to delete, and its survivor, by their ranks in the table. */
    record Duplicate(int rank, int survivor) {}

    /** @param archive null when nothing is archived */
    Removal(JobWrites job, ArchiveCopies archive) {
        this.batchSize = job.run().options().scrollSize();
        this.table = job.table();
        this.archive = archive;
        this.client = job.run().client();
        this.writes = job.bulks();
        this.task = job.run().task();
        this.outcome = job.outcome();
    }

    void write(List<Group> groups) {
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
        task.ensureNotCancelled();
        List<Duplicate> removable = withSurvivor(archive == null ? batch : archive.copy(batch));
        writes.write(removable, this::deletion, (duplicate, answer) -> {
            outcome.deleted++;
            task.written(1);
        });
        task.step(batch.size());
    }

    private DeleteRequest deletion(Duplicate duplicate) {
        int rank = duplicate.rank;
        return new DeleteRequest(table.indexOf(rank), table.id(rank))
                .routing(table.routing(rank))
                .setIfSeqNo(table.sequenceNumber(rank))
                .setIfPrimaryTerm(table.primaryTerm(rank));
    }

    /** Those whose survivor is there as it was read; of a lost survivor no duplicate may go. */
    private List<Duplicate> withSurvivor(List<Duplicate> batch) {
        MultiGetRequest request = new MultiGetRequest();
        Set<Integer> asked = new HashSet<>();
        for (Duplicate duplicate : batch) {
            if (asked.add(duplicate.survivor)) {
                request.add(new MultiGetRequest.Item(table.indexOf(duplicate.survivor), table.id(duplicate.survivor))
                        .routing(table.routing(duplicate.survivor))
                        .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE));
            }
        }
        if (asked.isEmpty()) {
            return List.of();
        }
        Map<String, GetResponse> found = new HashMap<>();
        for (MultiGetItemResponse item : client.multiGet(request).actionGet()) {
            if (item.isFailed() == false && item.getResponse().isExists()) {
                found.put(place(item.getIndex(), item.getId()), item.getResponse());
            }
        }
        List<Duplicate> kept = new ArrayList<>();
        for (Duplicate duplicate : batch) {
            int survivor = duplicate.survivor;
            GetResponse now = found.get(place(table.indexOf(survivor), table.id(survivor)));
            if (now != null
                    && now.getSeqNo() == table.sequenceNumber(survivor)
                    && now.getPrimaryTerm() == table.primaryTerm(survivor)) {
                kept.add(duplicate);
            } else {
                outcome.conflicts++;
            }
        }
        return kept;
    }

    private static String place(String index, String id) {
        return index + "/" + id;
    }
}
