/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.restore;

import static org.opensearch.simhash.search.options.RequestOptions.declare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionType;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.archive.ArchiveIndex.RestoreNote;
import org.opensearch.simhash.jobs.archive.ArchivedSource;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobRequest;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobRunner.JobAction;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.job.MovedIndex;
import org.opensearch.simhash.jobs.options.DeduplicateParser.NamedIndex;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.removal.RetriedGets;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.PointInTime.HitPages;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.transport.client.Client;

/** Puts back what a run has deleted. */
public final class RestoreAction extends JobAction<RestoreAction.Request, JobResponse> {

    public static final String NAME = "indices:data/write/simhash/restore";
    public static final ActionType<JobResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public RestoreAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(NAME, services, filters, jobs, DeduplicateThreads.RESTORE);
    }

    /** The run and the indices to restore. */
    public static final class Request extends JobRequest<Void> {

        private static final ConstructingObjectParser<String[], Void> PARSER = new ConstructingObjectParser<>(
                "restore", options -> new String[] {(String) options[0], (String) options[1], (String) options[2]});

        static {
            declare(PARSER, "run", ConstructingObjectParser.constructorArg(), RequestOptions.text("run"));
            declare(PARSER, "archive", ConstructingObjectParser.constructorArg(), NamedIndex.reader("archive"));
            declare(PARSER, "into", ConstructingObjectParser.optionalConstructorArg(), RequestOptions.text("into"));
        }

        final String run;
        final String archive;

        /** For copies of indices that the request does not name; or null. */
        final String into;

        public Request(String[] indices, String run, String archive, String into, WritePace pace) {
            super(indices, null, pace);
            this.run = run;
            this.archive = archive;
            this.into = into;
        }

        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            String[] options = RequestOptions.requiredBody(PARSER, parser);
            return new Request(indices, options[0], options[1], options[2], pace);
        }

        /** Nothing can be restored into one. */
        @Override
        public boolean includeDataStreams() {
            return false;
        }

        @Override
        public String getDescription() {
            return "restore run [" + run + "] from [" + archive + "]";
        }
    }

    @Override
    protected CheckedSupplier<JobResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        ClusterState state = services.state();
        IndexNameExpressionResolver resolver = services.resolver();
        Map<String, Index> indices = Arrays.stream(resolver.concreteIndices(state, request))
                .collect(Collectors.toMap(Index::getName, index -> index));
        ArchiveIndex.requireWhole(state, resolver.resolveExpressions(state, request.archive));
        return () -> {
            for (String name :
                    resolver.concreteIndexNames(state, IndicesOptions.lenientExpandOpen(), true, request.archive)) {
                if (new Archives().isOne(state.metadata().index(name)) == false) {
                    throw new IllegalArgumentException("[archive] must be an index that a job copied documents into"
                            + " before it deleted them, got: " + name + ", which has no copies");
                }
            }
            return new Restoration(services, task, client, outcome).restore(request, indices);
        };
    }

    /** Creates the documents of one run again, and puts back the earlier versions of survivors that it changed. One thread, which blocks. */
    private static final class Restoration {

        private final JobServices services;
        private final JobTask task;
        private final Client client;
        private final BulkWrites writes;
        private final JobOutcome outcome;
        private long documents;

        /** For copies of other indices; or null. */
        private String into;

        /** Created documents by index of the archive. */
        private final Map<String, Long> restored = new TreeMap<>();

        Restoration(JobServices services, JobTask task, Client client, JobOutcome outcome) {
            this.services = services;
            this.task = task;
            this.client = client;
            this.writes = new BulkWrites(client, task, outcome);
            this.outcome = outcome;
        }

        /** @param indices to create documents in, by name */
        JobResponse restore(Request request, Map<String, Index> indices) {
            long start = System.nanoTime();
            Retries retries = task.retries();
            ReadSlices slices = new ReadSlices(services.memory(), retries);
            try (PointInTime archive = request.openDest(request.archive, services, client, retries, outcome)) {
                // A reindexed archive may have a dynamic mapping.
                JobQuery ofRun = JobQuery.whole(ArchiveIndex.RUN, List.of(request.run));
                Map<String, Set<String>> origins = origins(archive, ofRun, indices.keySet());
                MovedIndex place = new MovedIndex(
                        services.state(), client, List.of(request.indices()), indices.keySet(), request.into);
                List<String> moved = place.moved(origins.keySet());
                into = place.of(
                        moved,
                        moved.stream()
                                .flatMap(index -> origins.get(index).stream())
                                .toArray(String[]::new));
                Set<String> from = new TreeSet<>(indices.keySet());
                from.addAll(moved);
                origins.keySet().stream()
                        .filter(index -> from.contains(index) == false
                                && services.state().metadata().hasIndex(index) == false)
                        .forEach(index -> outcome.warn(
                                "copies of [" + index + "], which is gone, are left: [into] names an index for them"));
                SearchSourceBuilder source = new SearchSourceBuilder()
                        .query(new BoolQueryBuilder().filter(ofRun).filter(JobQuery.whole(ArchiveIndex.INDEX, from)));
                JobQuery.requireWhole(archive.search(JobQuery.altered(source.query())));
                long archived = archive.count(source.query());
                task.documents(archived);
                task.enter(Phase.WRITE, archived);
                HitPages copies = new HitPages(archive, source);
                while (copies.isEnd() == false && outcome.isStopped() == false) {
                    try (ReadSlices.Slice slice = slices.next()) {
                        List<SearchHit> read = slice.read(copies, task.pace().pageSize(), outcome::noRoom);
                        documents += slice.size();
                        write(read, request.run, indices);
                        task.read(slice.size());
                    }
                }
            } catch (RuntimeException e) {
                outcome.failed(e, task, request.archive);
            } finally {
                note(request.run);
            }
            if (documents == 0 && outcome.failures().isEmpty() == false) {
                JobOutcome.WriteFailure reason = outcome.failures().getFirst();
                throw new OpenSearchStatusException(
                        "no copy found: [" + reason.index() + "] " + reason.reason(), reason.status());
            }
            if (documents == 0) {
                throw new ResourceNotFoundException("[run] must be a run that archived documents of "
                        + String.join(", ", new TreeSet<>(indices.keySet())) + " in [" + request.archive + "], got: "
                        + request.run);
            }
            outcome.refresh(client, indices.keySet());
            Map<String, Long> counts = new LinkedHashMap<>();
            counts.put("took", (System.nanoTime() - start) / 1_000_000);
            counts.put("documents", documents);
            counts.put("restored", outcome.count(JobCount.RESTORED));
            counts.put("version_conflicts", outcome.count(JobCount.VERSION_CONFLICTS));
            return new JobResponse(request.run, counts, outcome);
        }

        /** Ids of survivors of some copies, by the index they are of: of all others than these, and of these if there are any. */
        private Map<String, Set<String>> origins(PointInTime archive, JobQuery ofRun, Set<String> indices) {
            Map<String, Set<String>> origins = new TreeMap<>();
            JobQuery ofIndices = JobQuery.whole(ArchiveIndex.INDEX, indices);
            if (archive.count(new BoolQueryBuilder().filter(ofRun).filter(ofIndices)) > 0) {
                indices.forEach(index -> origins.put(index, Set.of()));
            }
            Set<String> known = new TreeSet<>(indices);
            for (boolean isNew = true; isNew; ) {
                BoolQueryBuilder others =
                        new BoolQueryBuilder().filter(ofRun).mustNot(JobQuery.whole(ArchiveIndex.INDEX, known));
                SearchSourceBuilder some = new SearchSourceBuilder()
                        .query(others)
                        .size(task.pace().pageSize())
                        .fetchSource(ArchiveIndex.ORIGIN, null);
                for (SearchHit hit : archive.search(some).getHits()) {
                    Map<String, Object> origin = ArchivedSource.origin(hit.getSourceAsMap());
                    if (origin.get("index") instanceof String index && origin.get("id") instanceof String id) {
                        Set<String> ids = origins.computeIfAbsent(index, any -> new TreeSet<>());
                        ids.add(
                                origin.get("duplicate_of") instanceof Map<?, ?> map
                                        ? String.valueOf(map.get("id"))
                                        : id);
                    }
                }
                isNew = known.addAll(origins.keySet());
            }
            return origins;
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

        private void write(List<SearchHit> read, String run, Map<String, Index> indices) {
            List<Copy> copies = whole(read, run, indices.keySet());
            UnaryOperator<List<Copy>> sendable = some -> thoseWithAnIndex(some, indices);
            Map<Copy, GetResponse> merged = unchanged(copies);
            copies.removeIf(copy -> copy.becomes().isEmpty() == false && merged.containsKey(copy) == false);
            writes.write(copies, sendable, copy -> copy.original(merged.get(copy)), (copy, answer) -> {
                boolean isMerged = answer.getResult() == DocWriteResponse.Result.UPDATED && merged.containsKey(copy);
                if (answer.getResult() == DocWriteResponse.Result.CREATED || isMerged) {
                    outcome.add(JobCount.RESTORED, 1);
                    restored.merge(copy.hit.getIndex(), 1L, Long::sum);
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

        /** The survivors that nobody has changed since they got values of their duplicates. The others are conflicts. */
        private Map<Copy, GetResponse> unchanged(List<Copy> copies) {
            Map<Copy, GetResponse> unchanged = new HashMap<>();
            new RetriedGets(client, task.retries(), outcome)
                    .get(
                            copies.stream()
                                    .filter(copy -> copy.becomes().isEmpty() == false)
                                    .toList(),
                            copy -> new MultiGetRequest.Item(copy.index, copy.id).routing(copy.routing),
                            (copy, found) -> {
                                if (found.isExists()
                                        && found.isSourceEmpty() == false
                                        && copy.becomes()
                                                .contains(
                                                        ArchivedSource.hash(found.getSourceAsBytesRef(), List.of()))) {
                                    unchanged.put(copy, found);
                                } else {
                                    outcome.add(JobCount.VERSION_CONFLICTS, 1);
                                }
                            },
                            (copy, reason, status) ->
                                    outcome.fail(copy.index, copy.id, "not read: " + reason.getMessage(), status));
            return unchanged;
        }

        private List<Copy> whole(List<SearchHit> read, String run, Set<String> indices) {
            List<Copy> copies = new ArrayList<>();
            for (SearchHit hit : read) {
                try {
                    copies.add(Copy.of(hit, run, indices, into));
                } catch (IllegalArgumentException e) {
                    outcome.fail(hit.getIndex(), hit.getId(), e.getMessage(), RestStatus.BAD_REQUEST);
                }
            }
            return copies;
        }

        /** Without copies whose index is gone. A write would create the index without its mapping. */
        private List<Copy> thoseWithAnIndex(List<Copy> copies, Map<String, Index> indices) {
            List<Copy> sendable = new ArrayList<>();
            for (Copy copy : copies) {
                if (services.state().metadata().index(indices.get(copy.index)) == null) {
                    outcome.fail(
                            copy.index, copy.id, "not created: the index was deleted meanwhile", RestStatus.NOT_FOUND);
                } else {
                    sendable.add(copy);
                }
            }
            return sendable;
        }

        /**
         * A copy in the archive, and the place that its document had.
         *
         * @param becomes hashes of the survivor as the job left it; empty for the copy of a deleted document
         */
        private record Copy(SearchHit hit, String index, String id, String routing, List<?> becomes) {

            private static final int MOST_ID_BYTES = 512;

            /** @throws IllegalArgumentException if the copy contradicts the search that found it, or has no id */
            static Copy of(SearchHit hit, String run, Set<String> indices, String into) {
                Map<String, Object> origin = hit.hasSource() ? ArchivedSource.origin(hit.getSourceAsMap()) : Map.of();
                if (run.equals(origin.get("run"))
                        && origin.get("index") instanceof String index
                        && (into != null || indices.contains(index))
                        && origin.get("id") instanceof String id
                        && isId(id)
                        && (origin.get("routing") == null || origin.get("routing") instanceof String)) {
                    return new Copy(
                            hit,
                            indices.contains(index) ? index : into,
                            id,
                            (String) origin.get("routing"),
                            origin.get(ArchiveIndex.MERGED) instanceof List<?> hashes ? hashes : List.of());
                }
                throw new IllegalArgumentException("[" + ArchiveIndex.ORIGIN
                        + "] of a copy must have its one [run], [index] and [id], got: " + origin);
            }

            private static boolean isId(String id) {
                int bytes = id.getBytes(StandardCharsets.UTF_8).length;
                return bytes > 0 && bytes <= MOST_ID_BYTES;
            }

            /** @param there the document that is overwritten; null if there is none */
            IndexRequest original(GetResponse there) {
                IndexRequest request = new IndexRequest(index)
                        .id(id)
                        .routing(routing)
                        .source(ArchivedSource.original(hit.getSourceRef()), XContentType.JSON);
                return BulkWrites.asItIs(
                        there == null
                                ? request.opType(DocWriteRequest.OpType.CREATE)
                                : request.setIfSeqNo(there.getSeqNo()).setIfPrimaryTerm(there.getPrimaryTerm()));
            }
        }
    }
}
