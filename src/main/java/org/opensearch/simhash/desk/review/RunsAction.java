/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.action.ActionType;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.index.Index;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.aggregations.metrics.TopHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.desk.check.RandomDocuments;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.archive.ArchiveIndex.RestoreNote;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.LocalAction.BlockingAction;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Lists the runs of an archive, the latest first. Costs an aggregation over each of its indices and a get per run. */
public final class RunsAction extends BlockingAction<RunsAction.Request, JsonResponse> {

    public static final String NAME = "indices:data/read/simhash/runs";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    /** Per index. */
    private static final int MOST = 1_000;

    private final JobServices services;

    @Inject
    public RunsAction(JobServices services, ActionFilters filters) {
        super(NAME, services.transport(), filters);
        this.services = services;
    }

    public static final class Request extends RequestOnIndices {

        public Request(String... archive) {
            super(archive);
        }
    }

    /** A run with copies in an archive. Times are in milliseconds since 1970; negative if unknown, or there was none. */
    private static final class ArchivedRun {

        private final String name;
        private long archivedAt = -1;
        private long copies;
        private final Set<String> indices = new TreeSet<>();
        private long restoredAt = -1;
        private long restored;
        /** Why it is unknown whether it was restored, or null. */
        private String error;

        ArchivedRun(String name) {
            this.name = name;
        }

        void add(Terms.Bucket bucket, MultiGetItemResponse answer) {
            TopHits copy = bucket.getAggregations().get("copy");
            SearchHit first = copy.getHits().getAt(0);
            Object at = DocumentValues.firstAt(ArchiveIndex.ARCHIVED_AT, first.getSourceAsMap())
                    .orElse(null);
            archivedAt = Math.max(archivedAt, at instanceof Number millis ? millis.longValue() : -1);
            copies += bucket.getDocCount();
            Terms from = bucket.getAggregations().get("indices");
            from.getBuckets().forEach(index -> indices.add(index.getKeyAsString()));
            try {
                RestoreNote note = answer.isFailed() ? null : RestoreNote.of(answer.getResponse());
                restoredAt = Math.max(restoredAt, note == null ? -1 : note.at());
                restored += note == null ? 0 : note.restored();
                if (answer.isFailed() && error == null) {
                    error = "[" + answer.getId() + "] cannot be read: "
                            + answer.getFailure().getFailure().getMessage();
                }
            } catch (IllegalArgumentException e) {
                error = error == null ? e.getMessage() : error;
            }
        }

        Map<String, Object> asMap() {
            Map<String, Object> run = new LinkedHashMap<>();
            run.put("run", name);
            run.put("archived_at", archivedAt < 0 ? null : StoredGroups.time(archivedAt));
            run.put("copies", copies);
            run.put("indices", indices);
            boolean isUnknown = error != null && restoredAt < 0;
            run.put("restored", isUnknown ? null : restoredAt >= 0);
            run.put("restored_at", restoredAt < 0 ? null : StoredGroups.time(restoredAt));
            run.put("restored_documents", restoredAt < 0 ? null : restored);
            run.put("error", error);
            run.values().removeIf(value -> value == null);
            return run;
        }
    }

    @Override
    protected JsonResponse answer(Request request, Task task) {
        ClusterState state = services.state();
        Client client = new ParentTaskAssigningClient(services.client(), services.id(task));
        Map<String, ArchivedRun> runs = new TreeMap<>();
        List<String> warnings = new ArrayList<>();
        for (Index index : services.resolver().concreteIndices(state, request)) {
            IndexMetadata metadata = state.metadata().index(index);
            String run = metadata == null ? null : whole(metadata, ArchiveIndex.RUN);
            String from = metadata == null ? null : whole(metadata, ArchiveIndex.INDEX);
            if (run == null || from == null) {
                warnings.add("[" + index.getName() + "] is no archive: it does not find [" + ArchiveIndex.RUN
                        + "] and [" + ArchiveIndex.INDEX + "] as a whole");
            } else {
                read(client, index.getName(), run, from, runs, warnings);
            }
        }
        List<Map<String, Object>> latestFirst = runs.values().stream()
                .sorted(Comparator.comparingLong((ArchivedRun run) -> run.archivedAt)
                        .reversed())
                .map(ArchivedRun::asMap)
                .toList();
        return new JsonResponse(Map.of("runs", latestFirst, "warnings", warnings));
    }

    private static void read(
            Client client,
            String index,
            String run,
            String from,
            Map<String, ArchivedRun> runs,
            List<String> warnings) {
        SearchSourceBuilder source = new SearchSourceBuilder()
                .size(0)
                .trackTotalHits(false)
                .aggregation(AggregationBuilders.terms("runs")
                        .field(run)
                        .size(MOST)
                        .subAggregation(
                                AggregationBuilders.terms("indices").field(from).size(MOST))
                        .subAggregation(AggregationBuilders.topHits("copy")
                                .size(1)
                                .fetchSource(ArchiveIndex.ARCHIVED_AT, null)));
        Terms found = client.search(RandomDocuments.searchOf(source, index))
                .actionGet()
                .getAggregations()
                .get("runs");
        if (found.getSumOfOtherDocCounts() > 0) {
            warnings.add("[" + index + "] has more runs than " + MOST + ": those with the fewest copies are left out");
        }
        if (found.getBuckets().isEmpty()) {
            return;
        }
        MultiGetRequest notes = new MultiGetRequest();
        found.getBuckets().forEach(bucket -> notes.add(index, RestoreNote.id(bucket.getKeyAsString())));
        MultiGetItemResponse[] answers = client.multiGet(notes).actionGet().getResponses();
        for (int i = 0; i < answers.length; i++) {
            Terms.Bucket bucket = found.getBuckets().get(i);
            runs.computeIfAbsent(bucket.getKeyAsString(), ArchivedRun::new).add(bucket, answers[i]);
        }
    }

    /** The field with doc values of whole strings; null if there is none. */
    private static String whole(IndexMetadata index, String path) {
        IndexMapping.WholeField found = new IndexMapping(index).whole(path);
        return found == null ? null : found.name();
    }
}
