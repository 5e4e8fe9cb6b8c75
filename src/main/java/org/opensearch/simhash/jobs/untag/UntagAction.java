/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.untag;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
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
import org.opensearch.index.query.IdsQueryBuilder;
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
import org.opensearch.simhash.jobs.options.DeduplicateParser.NamedIndex;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.PointInTime.HitPages;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.jobs.script.DocumentScript;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.jobs.write.JobIndex;
import org.opensearch.simhash.jobs.write.TagUpdates;
import org.opensearch.simhash.jobs.write.TagUpdates.TagMapping;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/** Clears the tags of all documents, of those that match a query, or of those that a run has put into its groups. */
public final class UntagAction extends JobAction<UntagAction.Request, JobResponse> {

    public static final String NAME = "indices:data/write/simhash/untag";
    public static final ActionType<JobResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public UntagAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(NAME, services, filters, jobs, DeduplicateThreads.RESTORE);
    }

    public static final class Request extends JobRequest<Request.Body> {

        /**
         * @param field null for the one that is mapped
         * @param sizeField null if sizes stay
         * @param dest with the groups of the run, whose tags alone go; both null for all tags
         */
        record Body(String field, String sizeField, QueryBuilder query, String dest, String run) {

            Body {
                if ((dest == null) != (run == null)) {
                    throw new IllegalArgumentException("[dest] and [run] must be given together, or neither");
                }
                String object = field == null ? FingerprintFields.DEFAULT_OBJECT : field;
                sizeField = DeduplicateOptions.outside(object, sizeField);
            }
        }

        private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("untag");

        static {
            option(PARSER, "field", RequestOptions::text);
            option(PARSER, "size_field", RequestOptions::text);
            declare(PARSER, "query", RequestOptions.object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
            declare(PARSER, "dest", NamedIndex.reader("dest"));
            option(PARSER, "run", RequestOptions::text);
        }

        private Request(String[] indices, Body body, WritePace pace) {
            super(indices, body, pace);
        }

        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            Given given = RequestOptions.optionalBody(PARSER, parser);
            Body body = new Body(
                    given.get("field", null),
                    given.get("size_field", null),
                    given.get("query", QueryBuilders.matchAllQuery()),
                    given.get("dest", null),
                    given.get("run", null));
            return new Request(indices, body, pace);
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

    /** Clears the tags in one point in time, page by page. One thread, which blocks. */
    private record Untagging(JobServices services, JobTask task, Client client, BulkWrites writes, JobOutcome outcome) {

        private static final int GROUPS_AT_ONCE = 500;

        private static final String[] OF_GROUPS = {
            GroupMapping.SURVIVOR, GroupMapping.CHOSEN_SURVIVOR, GroupMapping.MEMBERS
        };

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
                QueryBuilder tagged = tagged(request, names);
                long documents = request.options().run == null
                        ? clearAll(pointInTime, tagged, updates)
                        : clearRun(request, pointInTime, tagged, updates);
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

        private static QueryBuilder tagged(Request request, List<String> names) {
            BoolQueryBuilder any = new BoolQueryBuilder();
            names.forEach(name -> any.should(JobQuery.exists(name)));
            return new BoolQueryBuilder().filter(request.options().query).filter(any);
        }

        private long clearAll(PointInTime pointInTime, QueryBuilder tagged, TagUpdates updates) {
            long documents = pointInTime.count(tagged);
            task.documents(documents);
            task.enter(Phase.WRITE, documents);
            clear(pointInTime, tagged, hit -> true, updates);
            return documents;
        }

        /** The groups of a run may be millions: some at a time. Those that it has not applied have no tag from it. */
        private long clearRun(Request request, PointInTime documents, QueryBuilder tagged, TagUpdates updates) {
            Request.Body options = request.options();
            long seen = 0;
            task.enter(Phase.WRITE, 0);
            try (PointInTime dest = request.openDest(options.dest, services, client, task.retries(), outcome)) {
                GroupMapping.require(services.state(), Arrays.asList(dest.indices()));
                QueryBuilder applied = GroupMapping.ofRun(options.run).filter(JobQuery.exists(GroupMapping.APPLIED_AT));
                SearchSourceBuilder ofRun = new SearchSourceBuilder()
                        .query(dest.count(applied) == 0 ? GroupMapping.ofRun(options.run) : applied)
                        .fetchSource(OF_GROUPS, null);
                HitPages groups = new HitPages(dest, ofRun);
                ReadSlices slices = new ReadSlices(services.memory(), task.retries());
                while (groups.isEnd() == false && outcome.isStopped() == false) {
                    try (ReadSlices.Slice slice = slices.next()) {
                        Map<String, Set<Object>> members = new HashMap<>();
                        IdsQueryBuilder ids = QueryBuilders.idsQuery();
                        slice.read(groups, GROUPS_AT_ONCE, outcome::noRoom)
                                .forEach(group -> addMembers(group.getSourceAsMap(), members, ids));
                        QueryBuilder ofGroups =
                                new BoolQueryBuilder().filter(tagged).filter(ids);
                        seen += clear(documents, ofGroups, hit -> isOf(members, hit, updates), updates);
                    }
                }
            }
            if (seen == 0) {
                outcome.warn("no document has a tag of the run [" + options.run + "] in [" + options.dest + "]");
            }
            return seen;
        }

        /** Adds the survivors of the group, by the place of each of its documents. */
        private void addMembers(Map<String, Object> group, Map<String, Set<Object>> members, IdsQueryBuilder ids) {
            Set<Object> survivors = new HashSet<>(DocumentValues.at(GroupMapping.SURVIVOR + ".id", group));
            survivors.addAll(DocumentValues.at(GroupMapping.CHOSEN_SURVIVOR + ".id", group));
            for (String part : List.of(GroupMapping.SURVIVOR, GroupMapping.MEMBERS)) {
                for (Object document : DocumentValues.at(part, group)) {
                    Map<?, ?> place = (Map<?, ?>) document;
                    String index = String.valueOf(place.get("index"));
                    String id = String.valueOf(place.get("id"));
                    members.put((services.state().metadata().hasIndex(index) ? index : "") + "/" + id, survivors);
                    ids.addIds(id);
                }
            }
        }

        /** A later job may have given it another original, which stays. */
        private static boolean isOf(Map<String, Set<Object>> members, SearchHit hit, TagUpdates updates) {
            Set<Object> survivors = members.getOrDefault(
                    hit.getIndex() + "/" + hit.getId(), members.getOrDefault("/" + hit.getId(), Set.of()));
            Object original = updates.tag(hit).duplicateOf();
            return survivors.contains(original == null ? hit.getId() : original);
        }

        private long clear(
                PointInTime pointInTime, QueryBuilder query, Predicate<SearchHit> wanted, TagUpdates updates) {
            SearchSourceBuilder tagged = new SearchSourceBuilder()
                    .query(query)
                    .fetchSource(updates.names(), null)
                    .seqNoAndPrimaryTerm(true);
            AtomicLong seen = new AtomicLong();
            try {
                pointInTime.forEach(
                        tagged, () -> outcome.isStopped() ? 0 : task.pace().pageSize(), hits -> {
                            List<SearchHit> those =
                                    Arrays.stream(hits).filter(wanted).toList();
                            seen.addAndGet(those.size());
                            clear(those, updates);
                            task.read(hits.length);
                        });
            } catch (RuntimeException e) {
                outcome.failed(e, task, pointInTime.indices());
            }
            return seen.get();
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
