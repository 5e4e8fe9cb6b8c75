/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.runs;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.opensearch.action.ActionType;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.index.Index;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.aggregations.metrics.TopHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
import org.opensearch.simhash.jobs.archive.ArchivedSource;
import org.opensearch.simhash.jobs.archive.RestoreNote;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.request.BlockingAction;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;

/** Lists the runs of an archive, the latest first. Costs an aggregation over the archive and a get per run. */
public final class RunsAction extends BlockingAction<RunsAction.Request, JsonResponse> {

    public static final String NAME = "indices:data/read/simhash/runs";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public RunsAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(NAME, services.transport(), filters);
        this.services = services;
        this.resolver = resolver;
    }

    /** The archive. */
    public static final class Request extends RequestOnIndices {

        /** @param archive indices, aliases or patterns */
        public Request(String... archive) {
            super(archive);
        }
    }

    @Override
    protected JsonResponse answer(Request request, Task task) {
        ClusterState state = services.state();
        return new ArchivedRuns(services.client(), state).read(Arrays.asList(resolver.concreteIndices(state, request)));
    }

    /** Reads the runs of an archive, index by index. One thread, which blocks. */
    private static final class ArchivedRuns {

        /** Per index. */
        private static final int MOST = 1_000;

        private final Client client;
        private final ClusterState state;
        private final Map<String, ArchivedRun> runs = new TreeMap<>();
        private final List<String> warnings = new ArrayList<>();

        ArchivedRuns(Client client, ClusterState state) {
            this.client = client;
            this.state = state;
        }

        JsonResponse read(List<Index> archive) {
            archive.forEach(this::read);
            List<ArchivedRun> latestFirst = new ArrayList<>(runs.values());
            latestFirst.sort(
                    Comparator.comparingLong(ArchivedRun::archivedAt).reversed().thenComparing(ArchivedRun::run));
            return new JsonResponse((json, params) -> json.startObject()
                    .field("runs", latestFirst)
                    .field("warnings", warnings)
                    .endObject());
        }

        private void read(Index index) {
            IndexMetadata metadata = state.metadata().index(index);
            String run = metadata == null ? null : whole(metadata, ArchiveIndex.RUN);
            String from = metadata == null ? null : whole(metadata, ArchiveIndex.INDEX);
            if (run == null || from == null) {
                warnings.add("[" + index.getName() + "] is no archive: it does not find [" + ArchiveIndex.RUN
                        + "] and [" + ArchiveIndex.INDEX + "] as a whole");
                return;
            }
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .size(0)
                    .trackTotalHits(false)
                    .aggregation(AggregationBuilders.terms("runs")
                            .field(run)
                            .size(MOST)
                            .subAggregation(AggregationBuilders.terms("indices")
                                    .field(from)
                                    .size(MOST))
                            .subAggregation(AggregationBuilders.topHits("copy")
                                    .size(1)
                                    .fetchSource(ArchiveIndex.ARCHIVED_AT, null)));
            SearchRequest request = new SearchRequest(index.getName())
                    .source(source)
                    .allowPartialSearchResults(false)
                    .pipeline("_none");
            SearchResponse response = client.search(request).actionGet();
            Terms found = response.getAggregations().get("runs");
            if (found.getSumOfOtherDocCounts() > 0) {
                warnings.add("[" + index.getName() + "] has more runs than " + MOST
                        + ": those with the fewest copies are" + " left out");
            }
            add(index, found);
        }

        private void add(Index index, Terms found) {
            if (found.getBuckets().isEmpty()) {
                return;
            }
            MultiGetRequest notes = new MultiGetRequest();
            found.getBuckets().forEach(bucket -> notes.add(index.getName(), RestoreNote.id(bucket.getKeyAsString())));
            MultiGetItemResponse[] answers = client.multiGet(notes).actionGet().getResponses();
            for (int i = 0; i < answers.length; i++) {
                Terms.Bucket bucket = found.getBuckets().get(i);
                RestoreNote note = null;
                String error = null;
                try {
                    note = note(answers[i]);
                } catch (IllegalArgumentException e) {
                    error = e.getMessage();
                }
                Terms indices = bucket.getAggregations().get("indices");
                TopHits copy = bucket.getAggregations().get("copy");
                ArchivedRun run = new ArchivedRun(
                        bucket.getKeyAsString(),
                        archivedAt(copy.getHits().getAt(0)),
                        bucket.getDocCount(),
                        indices.getBuckets().stream()
                                .map(Terms.Bucket::getKeyAsString)
                                .sorted()
                                .toList(),
                        note == null ? -1 : note.at(),
                        note == null ? 0 : note.restored(),
                        error);
                runs.merge(run.run(), run, ArchivedRun::and);
            }
        }

        private static RestoreNote note(MultiGetItemResponse answer) {
            if (answer.isFailed()) {
                throw new IllegalArgumentException("[" + answer.getId() + "] cannot be read: "
                        + answer.getFailure().getFailure().getMessage());
            }
            return RestoreNote.of(answer.getResponse());
        }

        private static long archivedAt(SearchHit copy) {
            Object at = copy.hasSource()
                    ? ArchivedSource.origin(copy.getSourceAsMap()).get("archived_at")
                    : null;
            return at instanceof Number millis ? millis.longValue() : -1;
        }

        /** The field with doc values of whole strings; null if there is none. */
        private static String whole(IndexMetadata index, String path) {
            IndexMapping.WholeField found = new IndexMapping(index).whole(path);
            return found == null ? null : found.name();
        }

        /**
         * A run with copies in an archive.
         *
         * @param archivedAt when it began, in milliseconds since 1970; negative if unknown
         * @param indices of the copied documents
         * @param restoredAt the last restore; negative if there was none
         * @param restored documents that restores created
         * @param error why it is unknown whether it was restored, or null
         */
        private record ArchivedRun(
                String run,
                long archivedAt,
                long copies,
                List<String> indices,
                long restoredAt,
                long restored,
                String error)
                implements ToXContentObject {

            /** Adds the copies in another index. */
            ArchivedRun and(ArchivedRun other) {
                return new ArchivedRun(
                        run,
                        Math.max(archivedAt, other.archivedAt),
                        copies + other.copies,
                        Stream.concat(indices.stream(), other.indices.stream())
                                .distinct()
                                .sorted()
                                .toList(),
                        Math.max(restoredAt, other.restoredAt),
                        restored + other.restored,
                        error == null ? other.error : error);
            }

            @Override
            public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
                builder.startObject().field("run", run);
                if (archivedAt >= 0) {
                    builder.field(
                            "archived_at", Instant.ofEpochMilli(archivedAt).toString());
                }
                builder.field("copies", copies).field("indices", indices);
                if (error == null || restoredAt >= 0) {
                    builder.field("restored", restoredAt >= 0);
                }
                if (restoredAt >= 0) {
                    builder.field(
                            "restored_at", Instant.ofEpochMilli(restoredAt).toString());
                    builder.field("restored_documents", restored);
                }
                if (error != null) {
                    builder.field("error", error);
                }
                return builder.endObject();
            }
        }
    }
}
