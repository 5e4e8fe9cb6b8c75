/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.untag;

import static org.opensearch.simhash.search.options.RequestOptions.declare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.jobs.SourceCheck;
import org.opensearch.simhash.jobs.archive.ArchiveIndex;
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
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.script.DocumentScript;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.JobIndex;
import org.opensearch.simhash.jobs.write.TagUpdates;
import org.opensearch.simhash.jobs.write.TagUpdates.TagMapping;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/** Clears the tags of all documents, or of those that match a query. */
public final class UntagAction extends JobAction<UntagAction.Request, JobResponse> {

    public static final String NAME = "indices:data/write/simhash/untag";
    public static final ActionType<JobResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public UntagAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(NAME, services, filters, jobs, DeduplicateThreads.RESTORE);
    }

    /** The indices, the fingerprint, the query. */
    public static final class Request extends JobRequest.WithOptions<Request.Body> {

        static final class Body {

            /** Null for the one that is mapped. */
            private String field;

            /** Null if sizes stay. */
            private String sizeField;

            private QueryBuilder query = QueryBuilders.matchAllQuery();
        }

        private static final ObjectParser<Body, Void> PARSER = new ObjectParser<>("untag", Body::new);

        static {
            declare(PARSER, "field", (body, value) -> body.field = value, RequestOptions.text("field"));
            declare(PARSER, "size_field", (body, value) -> body.sizeField = value, RequestOptions.text("size_field"));
            declare(
                    PARSER,
                    "query",
                    (body, value) -> body.query = value,
                    RequestOptions.object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
        }

        private Request(String[] indices, Body body, WritePace pace) {
            super(indices, body, pace);
            body.sizeField = DeduplicateOptions.outside(
                    body.field == null ? FingerprintFields.DEFAULT_OBJECT : body.field, body.sizeField);
        }

        /** @param parser null if there is no body */
        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            return new Request(indices, parser == null ? new Body() : RequestOptions.body(PARSER, parser), pace);
        }

        @Override
        public String getDescription() {
            return "untag [" + String.join(",", indices()) + "]";
        }
    }

    @Override
    protected CheckedSupplier<JobResponse, Exception> prepare(
            Request request, JobTask task, Client client, JobOutcome outcome) {
        request.leaveOutArchives(services, outcome);
        BulkWrites writes = new BulkWrites(client, task, outcome);
        return () -> new Untagging(services, task, client, writes, outcome).run(request);
    }

    /**
     * Clears the tags in one point in time, page by page. One thread, which blocks.
     *
     * @param client sends requests as children of the task
     * @param outcome counts the writes
     */
    private record Untagging(JobServices services, JobTask task, Client client, BulkWrites writes, JobOutcome outcome) {

        JobResponse run(Request request) {
            long start = System.nanoTime();
            try (PointInTime pointInTime = request.open(null, services, client, task.retries(), outcome)) {
                String field = request.options().field == null
                        ? IndexMapping.print(
                                services.state().metadata(), List.of(pointInTime.indices()), SketchKind.SIMHASH)
                        : request.options().field;
                TagUpdates updates =
                        new TagUpdates(field, request.options().sizeField, DocumentScript.mayRun(services.scripts()));
                List<String> names = new TagMapping(field, request.options().sizeField).names();
                check(pointInTime.indices(), names);
                SearchSourceBuilder tagged = tagged(request, updates, names);
                long documents = pointInTime.count(tagged.query());
                task.documents(documents);
                task.enter(Phase.WRITE, documents);
                clear(pointInTime, tagged, updates);
                outcome.refresh(client, Arrays.asList(pointInTime.indices()));
                Map<String, Long> counts = new LinkedHashMap<>();
                counts.put("took", (System.nanoTime() - start) / 1_000_000);
                counts.put("documents", documents);
                counts.put("cleared", outcome.count(JobCount.CLEARED));
                counts.put("grouped", outcome.count(JobCount.GROUPED));
                counts.put("version_conflicts", outcome.count(JobCount.VERSION_CONFLICTS));
                counts.put("read_only", outcome.count(JobCount.READ_ONLY));
                return new JobResponse(null, counts, outcome);
            }
        }

        /** An update writes the stored source again, and loses what is not in it. Copies in an archive must not change. */
        private void check(String[] indices, List<String> names) {
            ClusterState state = services.state();
            List<String> mapped = new ArrayList<>();
            for (String name : indices) {
                IndexMetadata index = state.metadata().index(name);
                IndexMapping mapping = index == null ? null : new IndexMapping(index);
                if (mapping == null || names.stream().noneMatch(mapping::maps)) {
                    continue;
                }
                mapped.add(name);
                if (mapping.maps(ArchiveIndex.ORIGIN)) {
                    throw new IllegalArgumentException("[index] must not be an archive, got: " + name + ", which maps ["
                            + ArchiveIndex.ORIGIN + "]");
                }
                String reason = JobIndex.unchangeable(index);
                if (mapping.leavesOut() != null || reason != null) {
                    String what = reason == null ? "has " + mapping.leavesOut() : reason;
                    throw new IllegalArgumentException(
                            "[index] must be one whose documents can be updated as a whole, got: " + name + ", which "
                                    + what);
                }
            }
            outcome.leaveAsTheyAre(SourceCheck.readOnly(state, mapped));
            if (mapped.isEmpty()) {
                outcome.warn("no index maps " + names + ": nothing was ever tagged there");
            }
        }

        private static SearchSourceBuilder tagged(Request request, TagUpdates updates, List<String> names) {
            BoolQueryBuilder any = new BoolQueryBuilder();
            names.forEach(name -> any.should(JobQuery.exists(name)));
            return new SearchSourceBuilder()
                    .query(new BoolQueryBuilder()
                            .filter(request.options().query)
                            .filter(any))
                    .fetchSource(updates.names(), null)
                    .seqNoAndPrimaryTerm(true);
        }

        private void clear(PointInTime pointInTime, SearchSourceBuilder tagged, TagUpdates updates) {
            try {
                pointInTime.forEach(
                        tagged, () -> outcome.isStopped() ? 0 : task.pace().pageSize(), hits -> {
                            task.ensureNotCancelled();
                            clear(Arrays.asList(hits), updates);
                            task.read(hits.length);
                        });
            } catch (RuntimeException e) {
                outcome.failed(e, task, pointInTime.indices());
            }
        }

        private void clear(List<SearchHit> hits, TagUpdates updates) {
            List<SearchHit> clearable = new ArrayList<>();
            for (SearchHit hit : hits) {
                if (outcome.isWritable(hit.getIndex()) == false) {
                    outcome.add(JobCount.READ_ONLY, 1);
                } else if (updates.isOneObject(hit)) {
                    clearable.add(hit);
                } else {
                    outcome.fail(
                            hit.getIndex(),
                            hit.getId(),
                            "[field] must be one object in the document's _source, got: several of " + updates.field(),
                            RestStatus.BAD_REQUEST);
                }
            }
            writes.write(
                    clearable,
                    some -> writes.thoseThere(
                            some, hit -> hit.getShard().getShardId().getIndex(), services.state()),
                    hit -> updates.update(hit, TagUpdates.Tag.NONE),
                    (hit, answer) -> {
                        if (answer.getResult() == DocWriteResponse.Result.UPDATED) {
                            outcome.add(updates.count(hit, TagUpdates.Tag.NONE), 1);
                            task.written(1);
                        }
                    });
        }
    }
}
