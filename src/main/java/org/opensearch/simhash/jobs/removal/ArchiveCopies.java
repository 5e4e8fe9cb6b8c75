/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.get.GetResponse;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.arrivals.durable.StoredVersion;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.removal.CopyRequests.Copy;
import org.opensearch.simhash.jobs.removal.Survivors.Duplicate;
import org.opensearch.simhash.jobs.removal.Survivors.DurableVersions;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.JobWrites;

/**
 * Copies documents into the archive before they are deleted, and confirms that the copies are durable. Takes back the copies of
 * documents that stay. One batch at a time.
 */
final class ArchiveCopies {

    private final CopyRequests requests;
    private final DurableVersions versions;
    private final ClusterService cluster;
    private final BulkWrites writes;
    private final JobOutcome outcome;
    private final Map<Integer, DocWriteRequest<?>> undo = new HashMap<>();

    private final String name;

    /** The index that is written. One that was created again is another index. */
    private final Index index;

    ArchiveCopies(JobWrites job, DurableVersions versions, RetriedGets gets) {
        this.cluster = job.run().services().cluster();
        this.name = job.run().options().archive();
        this.index = ArchiveIndex.writeIndex(cluster.state(), name).getIndex();
        this.requests = new CopyRequests(job, gets, index.getName());
        this.versions = versions;
        this.writes = job.bulks();
        this.outcome = job.outcome();
    }

    /** A bulk request would create the index without its mapping, or write to an index that the alias has lost. */
    void requireThere() {
        IndexAbstraction found = cluster.state().metadata().getIndicesLookup().get(name);
        boolean isThere = found != null
                && found.getIndices().stream().anyMatch(each -> each.getIndex().equals(index));
        if (isThere == false) {
            throw new OpenSearchStatusException(
                    "[archive] must stay as long as the job runs, and was deleted or moved, got: " + name,
                    RestStatus.CONFLICT);
        }
    }

    List<Duplicate> copy(List<Duplicate> batch, Map<Integer, SearchHit> read) {
        return copy(batch, read, rank -> Map.of());
    }

    /** @param more what else to say of a document, by rank */
    List<Duplicate> copy(List<Duplicate> batch, Map<Integer, SearchHit> read, IntFunction<Map<String, Object>> more) {
        undo.clear();
        Map<Integer, Copy> copies = requests.of(batch, read, more);
        List<Duplicate> sent = batch.stream()
                .filter(duplicate -> copies.containsKey(duplicate.rank()))
                .toList();
        Map<Duplicate, DocWriteResponse> written = new HashMap<>();
        writes.send(sent, this::allIfThere, d -> copies.get(d.rank()).request(), (duplicate, answer) -> {
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
        try {
            return durable(sent, written);
        } catch (RuntimeException e) {
            takeBackAfter(e, written.keySet());
            throw e;
        }
    }

    private List<Duplicate> allIfThere(List<Duplicate> duplicates) {
        requireThere();
        return duplicates;
    }

    /** Keeps the order. Takes back the copies that are not durable. */
    private List<Duplicate> durable(List<Duplicate> sent, Map<Duplicate, DocWriteResponse> written) {
        Map<Duplicate, Durability> answers = versions.of(
                written.keySet(),
                duplicate -> StoredVersion.of(written.get(duplicate)),
                EnumSet.of(Durability.PENDING, Durability.UNKNOWN));
        List<Duplicate> durable = new ArrayList<>();
        List<Duplicate> others = new ArrayList<>();
        for (Duplicate duplicate : sent) {
            switch (answers.get(duplicate)) {
                case null -> {}
                case DURABLE -> durable.add(duplicate);
                case CHANGED -> {
                    others.add(duplicate);
                    outcome.add(JobCount.VERSION_CONFLICTS, 1); // another job took the copy over
                }
                case PENDING, SYNCED, UNKNOWN -> {
                    others.add(duplicate);
                    if (answers.get(duplicate) == Durability.UNKNOWN) {
                        outcome.stop(
                                index.getName(),
                                "no primary shard tells of the copies",
                                RestStatus.SERVICE_UNAVAILABLE);
                    }
                    outcome.fail(
                            index.getName(),
                            written.get(duplicate).getId(),
                            "the copy may get lost in a crash yet: its document stays",
                            RestStatus.SERVICE_UNAVAILABLE);
                }
            }
        }
        takeBack(others);
        return durable;
    }

    /** Only if a right is missing. After other failures, that may take long; the next run replaces the copies. */
    void takeBackAfter(RuntimeException failure, Collection<Duplicate> kept) {
        if (ExceptionsHelper.status(ExceptionsHelper.unwrapCause(failure)) == RestStatus.FORBIDDEN) {
            try {
                takeBack(kept);
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Takes back the copies of documents that still exist. A missing document keeps its copy: a node may have deleted it and died. */
    void takeBack(Collection<Duplicate> kept) {
        Map<Integer, GetResponse> there = requests.live(kept.stream().mapToInt(Duplicate::rank));
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
