/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.restore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.deduplicate.archive.ArchivedSource;
import org.opensearch.simhash.deduplicate.job.DeduplicateMemory;
import org.opensearch.simhash.deduplicate.job.DeduplicateTask;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobCount;
import org.opensearch.simhash.deduplicate.job.JobCounts;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.deduplicate.write.BulkWrites;
import org.opensearch.simhash.query.SearchedIndices;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/**
 * Goes through the archive's copies of a run and creates each document where it was. What exists there is never overwritten, and
 * the copies stay: restoring twice restores nothing twice.
 */
public final class TransportRestoreAction
        extends HandledTransportAction<RestoreAction.Request, RestoreAction.Response> {

    private final TransportService transportService;
    private final Client client;
    private final ClusterService clusterService;
    private final IndexNameExpressionResolver resolver;
    private final NamedWriteableRegistry registry;
    private final JobCounts counts;
    private final DeduplicateMemory memory;

    @Inject
    public TransportRestoreAction(
            TransportService transportService,
            ActionFilters filters,
            Client client,
            ClusterService clusterService,
            IndexNameExpressionResolver resolver,
            NamedWriteableRegistry registry,
            JobCounts counts,
            DeduplicateMemory memory) {
        super(RestoreAction.NAME, transportService, filters, RestoreAction.Request::new);
        this.transportService = transportService;
        this.client = client;
        this.clusterService = clusterService;
        this.resolver = resolver;
        this.registry = registry;
        this.counts = counts;
        this.memory = memory;
    }

    @Override
    protected void doExecute(
            Task task, RestoreAction.Request request, ActionListener<RestoreAction.Response> listener) {
        Map<String, Index> indices = Arrays.stream(resolver.concreteIndices(clusterService.state(), request))
                .collect(Collectors.toMap(Index::getName, index -> index));
        TaskId self = new TaskId(transportService.getLocalNode().getId(), task.getId());
        Client child = new ParentTaskAssigningClient(client, self);
        DeduplicateTask job = (DeduplicateTask) task;
        Outcome outcome = new Outcome();
        transportService
                .getThreadPool()
                .executor(DeduplicateThreads.JOB)
                .execute(ActionRunnable.supply(
                        listener,
                        () -> counts.run(job, outcome, () -> restore(job, request, indices, child, outcome))));
    }

    private RestoreAction.Response restore(
            DeduplicateTask task,
            RestoreAction.Request request,
            Map<String, Index> indices,
            Client child,
            Outcome outcome) {
        long start = System.nanoTime();
        BulkWrites writes = new BulkWrites(child, task, outcome);
        long[] documents = new long[1];
        Retries retries = new Retries(task::ensureNotCancelled);
        // The job may have ended before it showed its last copies.
        outcome.refresh(child, List.of(request.archive()));
        PointInTime archive = PointInTime.open(
                        new String[] {request.archive()},
                        request.indicesOptions(),
                        child,
                        registry,
                        clusterService.getClusterSettings())
                .withRetries(retries);
        archive = archive.withMostHits(
                SearchedIndices.mostHits(clusterService.state().metadata(), List.of(archive.indices())));
        ReadSlices slices = new ReadSlices(memory, retries);
        try {
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(new BoolQueryBuilder()
                            .filter(QueryBuilders.termQuery(ArchiveIndex.ORIGIN + ".run", request.run()))
                            .filter(QueryBuilders.termsQuery(ArchiveIndex.ORIGIN + ".index", indices.keySet())));
            task.enter(Phase.WRITE, archive.count(source.query()));
            IntSupplier wanted =
                    () -> outcome.isStopped() ? 0 : slices.size(task.pace().scrollSize());
            archive.forEach(source, wanted, hits -> {
                documents[0] += hits.length;
                try (ReadSlices.Slice slice = slices.next(hits.length)) {
                    for (SearchHit hit : hits) {
                        slice.accept(hit.getSourceRef().length());
                    }
                    write(Arrays.asList(hits), indices, writes, outcome, task);
                }
                task.step(hits.length);
            });
        } catch (RuntimeException e) {
            outcome.failed(e, task, request.archive());
        } finally {
            archive.close(client);
        }
        if (documents[0] == 0) {
            throw new ResourceNotFoundException("[run] must be a run that archived documents of "
                    + String.join(", ", new TreeSet<>(indices.keySet())) + " in [" + request.archive() + "], got: "
                    + request.run());
        }
        outcome.refresh(child, indices.keySet());
        return new RestoreAction.Response(
                request.run(),
                (System.nanoTime() - start) / 1_000_000,
                documents[0],
                outcome.count(JobCount.RESTORED),
                outcome.count(JobCount.VERSION_CONFLICTS),
                outcome.failures());
    }

    private void write(
            List<SearchHit> copies,
            Map<String, Index> indices,
            BulkWrites writes,
            Outcome outcome,
            DeduplicateTask task) {
        UnaryOperator<List<SearchHit>> sendable = some -> thoseWithAnIndex(some, indices, outcome);
        writes.write(copies, sendable, TransportRestoreAction::original, (copy, answer) -> {
            if (answer.getResult() == DocWriteResponse.Result.CREATED) {
                outcome.add(JobCount.RESTORED, 1);
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

    /** A document would make its index again, without the mapping. */
    private List<SearchHit> thoseWithAnIndex(List<SearchHit> copies, Map<String, Index> indices, Outcome outcome) {
        List<SearchHit> sendable = new ArrayList<>();
        for (SearchHit copy : copies) {
            Map<String, Object> origin = ArchivedSource.origin(copy.getSourceAsMap());
            if (clusterService.state().metadata().index(indices.get((String) origin.get("index"))) == null) {
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
