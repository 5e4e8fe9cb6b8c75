/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.restore;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.deduplicate.archive.ArchivedSource;
import org.opensearch.simhash.deduplicate.archive.RestoreNote;
import org.opensearch.simhash.deduplicate.job.JobCount;
import org.opensearch.simhash.deduplicate.job.JobResponse;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.job.WriteFailure;
import org.opensearch.simhash.deduplicate.scan.HitPages;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.deduplicate.scan.WholeStringsQueryBuilder;
import org.opensearch.simhash.deduplicate.write.BulkWrites;
import org.opensearch.transport.client.Client;

/** Creates the documents of one run again. One thread, which blocks. */
final class Restoration {

    private final JobServices services;
    private final JobTask task;
    private final Client client;
    private final BulkWrites writes;
    private final Outcome outcome;
    private long documents;

    /** Created documents by index of the archive. */
    private final Map<String, Long> restored = new TreeMap<>();

    /**
     * @param client sends requests as children of the task
     * @param outcome counts the writes
     */
    Restoration(JobServices services, JobTask task, Client client, Outcome outcome) {
        this.services = services;
        this.task = task;
        this.client = client;
        this.writes = new BulkWrites(client, task, outcome);
        this.outcome = outcome;
    }

    /** @param indices to create documents in, by name */
    JobResponse restore(RestoreAction.Request request, Map<String, Index> indices) {
        long start = System.nanoTime();
        Retries retries = task.retries();
        // The job may have ended before a refresh.
        outcome.refresh(client, List.of(request.archive()));
        PointInTime archive = PointInTime.open(
                new String[] {request.archive()},
                request.indicesOptions(),
                client,
                services.registry(),
                services.cluster(),
                retries);
        ReadSlices slices = new ReadSlices(services.memory(), retries);
        try {
            // A reindexed archive may have a dynamic mapping.
            QueryBuilder copiesOfRun = new BoolQueryBuilder()
                    .filter(new WholeStringsQueryBuilder(ArchiveIndex.RUN, List.of(request.run())))
                    .filter(new WholeStringsQueryBuilder(ArchiveIndex.INDEX, indices.keySet()));
            SearchSourceBuilder source = new SearchSourceBuilder().query(copiesOfRun);
            long archived = archive.count(source.query());
            task.documents(archived);
            task.enter(Phase.WRITE, archived);
            HitPages copies = new HitPages(archive, source);
            while (copies.isEnd() == false && outcome.isStopped() == false) {
                try (ReadSlices.Slice slice = slices.next()) {
                    List<SearchHit> read = slice.read(
                            copies,
                            task.pace().scrollSize(),
                            (copy, rejection) -> outcome.fail(
                                    copy.getIndex(),
                                    copy.getId(),
                                    ReadSlices.noRoom(rejection),
                                    RestStatus.TOO_MANY_REQUESTS));
                    documents += slice.size();
                    write(read, indices);
                    task.read(slice.size());
                }
            }
        } catch (RuntimeException e) {
            outcome.failed(e, task, request.archive());
        } finally {
            archive.close(services.client());
            note(request.run());
        }
        if (documents == 0 && outcome.failures().isEmpty() == false) {
            WriteFailure reason = outcome.failures().getFirst();
            throw new OpenSearchStatusException(
                    "no copy found: [" + reason.index() + "] " + reason.reason(), reason.status());
        }
        if (documents == 0) {
            throw new ResourceNotFoundException("[run] must be a run that archived documents of "
                    + String.join(", ", new TreeSet<>(indices.keySet())) + " in [" + request.archive() + "], got: "
                    + request.run());
        }
        outcome.refresh(client, indices.keySet());
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("took", (System.nanoTime() - start) / 1_000_000);
        counts.put("documents", documents);
        counts.put("restored", outcome.count(JobCount.RESTORED));
        counts.put("version_conflicts", outcome.count(JobCount.VERSION_CONFLICTS));
        return new JobResponse(request.run(), counts, outcome);
    }

    /** Also after cancellation. */
    private void note(String run) {
        restored.forEach((archive, count) -> {
            try {
                RestoreNote.write(services.client(), archive, run, System.currentTimeMillis(), count);
            } catch (RuntimeException e) {
                outcome.warn("[" + archive + "] does not say that the run was restored: " + e.getMessage());
            }
        });
    }

    private void write(List<SearchHit> copies, Map<String, Index> indices) {
        UnaryOperator<List<SearchHit>> sendable = some -> thoseWithAnIndex(some, indices);
        writes.write(copies, sendable, Restoration::original, (copy, answer) -> {
            if (answer.getResult() == DocWriteResponse.Result.CREATED) {
                outcome.add(JobCount.RESTORED, 1);
                restored.merge(copy.getIndex(), 1L, Long::sum);
                task.written(1);
            } else {
                outcome.fail(
                        answer.getIndex(),
                        answer.getId(),
                        "not created, but " + answer.getResult().getLowercase(),
                        RestStatus.INTERNAL_SERVER_ERROR);
            }
        });
    }

    /** Without copies whose index is gone. A write would create the index without its mapping. */
    private List<SearchHit> thoseWithAnIndex(List<SearchHit> copies, Map<String, Index> indices) {
        List<SearchHit> sendable = new ArrayList<>();
        for (SearchHit copy : copies) {
            Map<String, Object> origin = ArchivedSource.origin(copy.getSourceAsMap());
            if (services.cluster().state().metadata().index(indices.get((String) origin.get("index"))) == null) {
                outcome.fail(
                        (String) origin.get("index"),
                        (String) origin.get("id"),
                        "not created: the index was deleted meanwhile",
                        RestStatus.NOT_FOUND);
            } else {
                sendable.add(copy);
            }
        }
        return sendable;
    }

    private static IndexRequest original(SearchHit hit) {
        Map<String, Object> origin = ArchivedSource.origin(hit.getSourceAsMap());
        IndexRequest original = new IndexRequest((String) origin.get("index"))
                .id((String) origin.get("id"))
                .routing((String) origin.get("routing"))
                .opType(DocWriteRequest.OpType.CREATE)
                .source(ArchivedSource.original(hit.getSourceRef()), XContentType.JSON);
        return BulkWrites.asItIs(original);
    }
}
