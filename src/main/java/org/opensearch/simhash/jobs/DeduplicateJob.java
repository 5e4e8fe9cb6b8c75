/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.routing.Preference;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.core.groups.ApartDocuments;
import org.opensearch.simhash.core.join.Linkage;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.groups.GroupReport;
import org.opensearch.simhash.jobs.groups.Grouping;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobRun.JobFields;
import org.opensearch.simhash.jobs.job.JobRun.JobQueries;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobStatus.Deletion;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.job.RivalJobs;
import org.opensearch.simhash.jobs.links.PassCounts;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.SurvivorField;
import org.opensearch.simhash.jobs.removal.Removal;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.DuplicateTags;
import org.opensearch.simhash.jobs.write.GroupIndex;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.jobs.write.JobWrites;
import org.opensearch.simhash.jobs.write.JobWrites.Consent;
import org.opensearch.simhash.jobs.write.PairPages;
import org.opensearch.simhash.jobs.write.RememberedPairs;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.query.FingerprintPresence;
import org.opensearch.transport.client.Client;

/**
 * One run, from the scan to the writes. Blocks its one thread.
 *
 * @param newSince selects new documents, if only their groups are wanted; or null
 * @param sinceRun the run since which documents are new, with {@code "new_since": "last"}; or null
 */
record DeduplicateJob(
        DeduplicateAction.Request request,
        JobServices services,
        JobTask task,
        Client client,
        DeduplicateOptions options,
        QueryBuilder newSince,
        String sinceRun,
        List<String> indices,
        String run,
        JobOutcome outcome,
        FingerprintPresence presence) {

    private static final int EXAMPLES = 10;

    JobResponse carryOut() {
        long start = System.nanoTime();
        Retries retries = task.retries();
        // Primaries are sure to have all earlier writes.
        String copies = options.sinceLast() ? Preference.PRIMARY.type() : null;
        try (PointInTime pointInTime = request.open(copies, services, client, retries, outcome);
                Account memory = new Account(services.memory())) {
            // A name may have changed its indices since the request.
            List<String> sources = List.of(pointInTime.indices());
            ClusterState state = services.state();
            new TargetCheck(state, options, sources).check();
            JobFields fields = new FieldCheck(options, sources).check(client, retries);
            SourceCheck sourceCheck = new SourceCheck(state, options);
            UnaryOperator<QueryBuilder> lookUp =
                    query -> pointInTime.lookUp(query, services.contents(), services.registry());
            JobQueries queries = request.sides(
                    new JobQueries(lookUp.apply(options.query()), newSince == null ? null : lookUp.apply(newSince)),
                    sources,
                    services,
                    lookUp);
            List<String> mine =
                    fields.indices().stream().filter(queries::isOfPath).toList();
            outcome.leaveAsTheyAre(sourceCheck.check(fields.indices(), mine));
            sourceCheck.requirePassages(services.recipes(options.kind()), fields.indices());
            sourceCheck.requireNoText(services.recipes(options.kind()), fields.indices());
            refuseRivals(fields.indices());
            RememberedPairs remembered = remembered(pointInTime, memory);
            remembered.warnings().forEach(outcome::warn);
            JobRun job = new JobRun(
                    services,
                    task,
                    client,
                    options,
                    withTogether(queries, remembered, pointInTime),
                    fields,
                    pointInTime,
                    memory);
            ChancePairs.warning(job).ifPresent(outcome::warn);
            Grouping grouping = new Grouping(job, remembered.active());
            PairPages pairs = options.pairs() ? new PairPages(job, run, outcome) : null;
            List<Group> linked = grouping.groups(pairs == null ? null : pairs::of);
            if (pairs != null) {
                pairs.end();
            }
            boolean isTagged = options.action() == DeduplicateOptions.Action.TAG && options.dest() != null;
            RememberedPairs now = isTagged ? remembered(pointInTime, memory) : remembered;
            List<Group> connected = isTagged ? together(linked, now, job, grouping.table()) : linked;
            List<Group> groups = grouping.withNewDocuments(connected);
            task.groups(groups.size());
            long documents = options.against() == null ? 0 : pointInTime.count(queries.path());
            warn(job, grouping);
            DuplicateTags tags = write(job, grouping, groups, connected, now);
            task.enter(Phase.DONE, 0);
            return response(grouping, groups, remembered, tags, start, documents);
        }
    }

    /** What people keep apart: in the documents, and in {@code dest}, if it is there. */
    private RememberedPairs remembered(PointInTime sources, Account memory) {
        boolean isThere = options.dest() != null
                && services.state().metadata().getIndicesLookup().containsKey(options.dest());
        try (PointInTime dest =
                isThere ? request.openDest(options.dest(), services, client, task.retries(), outcome) : null) {
            return RememberedPairs.read(
                    dest, sources, options.field(), task, services.state().metadata(), memory);
        }
    }

    /** Without what people have rejected since the groups were made: that may have taken hours. */
    private List<Group> together(List<Group> groups, RememberedPairs now, JobRun job, DocumentTable table) {
        ApartDocuments apart = new ApartDocuments(now.active(), table::rank, job.memory());
        List<Group> together = apart.pairs() == 0 ? groups : Linkage.together(groups, apart::from, job.memory());
        long rejected = duplicates(groups) - duplicates(together);
        if (rejected > 0) {
            outcome.warn(rejected + " documents stay as they are: people have rejected them while the job ran");
        }
        return together;
    }

    /** Documents that people have kept apart are as good as new while they carry the id of one group. */
    private JobQueries withTogether(JobQueries queries, RememberedPairs remembered, PointInTime pointInTime) {
        long[] together = remembered.together();
        return queries.newSince() == null || together.length == 0 || options.action() != DeduplicateOptions.Action.TAG
                ? queries
                : queries.newSince(
                        QueryBuilders.boolQuery().should(queries.newSince()).should(pointInTime.these(together)));
    }

    private void warn(JobRun job, Grouping grouping) {
        PassCounts passes = grouping.search().counts();
        long documents = grouping.search().documents();
        long without = options.candidates() == null ? documents - JobWarnings.compared(passes) : 0;
        outcome.add(JobCount.WITHOUT_FINGERPRINT, Math.max(0, without));
        doubt(grouping);
        new JobWarnings(job, presence)
                .sentences(documents, passes, grouping.pairs())
                .forEach(outcome::warn);
        grouping.warning().ifPresent(outcome::warn);
        if (options.against() != null && grouping.table().twins() > 0) {
            outcome.warn(grouping.table().twins()
                    + " documents with links have the [_id] of one in another index, and are not compared"
                    + " with it: [same_id] duplicate compares them");
        }
        if (grouping.splitGroups() > 0) {
            outcome.warn("[max_group_size] " + options.maxGroupSize() + " has split " + grouping.splitGroups()
                    + " groups: what is left of each is "
                    + (options.against() == null ? "in groups of its own" : "not matched"));
        }
    }

    private void doubt(Grouping grouping) {
        DocumentTable table = grouping.table();
        EndRule ending = options.ending();
        outcome.add(JobCount.NO_TEXT, grouping.withoutText());
        for (int rank = 0; rank < table.size() && options.action() == DeduplicateOptions.Action.DELETE; rank++) {
            Freshness.State state = table.state(rank);
            if (state != null && table.isOther(rank) == false && ending.mayLink(state) == false) {
                outcome.stays(ending.ofDocument(state));
            }
        }
    }

    /** Runs before the first delete. From now on, later jobs see what this job deletes from. */
    private void refuseRivals(List<String> read) {
        if (options.action() == DeduplicateOptions.Action.DELETE) {
            String order = SurvivorField.describe(options.survivor());
            Deletion deletion = new Deletion(
                    read,
                    options.against() == null
                            ? order
                            : order + ", against [" + options.against().index() + "]");
            task.deletes(deletion);
            new RivalJobs(client, services.id(task)).refuse(deletion);
        }
    }

    /**
     * @param connected the groups, and those whose documents are connected with new ones
     * @return null unless the job tags
     */
    private DuplicateTags write(
            JobRun job, Grouping grouping, List<Group> groups, List<Group> connected, RememberedPairs remembered) {
        long reported = options.dest() == null ? 0 : groups.size();
        long changed = switch (options.action()) {
            case REPORT -> 0;
            case TAG -> duplicates(groups) + groups.size();
            case DELETE -> duplicates(groups);
        };
        task.enter(Phase.WRITE, reported + changed, reported + changed * options.writesOfADocument());
        BulkWrites bulks = new BulkWrites(client, task, outcome);
        JobWrites writes = new JobWrites(job, run, grouping.table(), bulks, outcome, Consent.GIVEN);
        job.requireWhole(grouping.table().addresses());
        ClusterState state = services.state();
        List<String> written = new ArrayList<>();
        DuplicateTags tags = null;
        try {
            if (options.action() == DeduplicateOptions.Action.TAG) {
                tags = new DuplicateTags(writes, groups, connected, grouping.concerned(), null);
            }
            if (options.dest() != null) {
                GroupMapping.complete(client, state, options.dest());
                new GroupIndex(writes).write(groups, tags, remembered);
                written.add(options.dest());
            }
            if (outcome.isStopped() == false) {
                List<String> writable = job.fields().indices().stream()
                        .filter(index ->
                                outcome.isWritable(index) && job.queries().isOfPath(index))
                        .toList();
                if (options.action() != DeduplicateOptions.Action.REPORT) {
                    Removal.prepare(job, tags != null, writable, written);
                    if (tags != null) {
                        tags.write(remembered);
                        remembered.write(writes, null);
                    }
                    List<Group> standing = tags != null || options.dest() == null
                            ? groups
                            : together(groups, remembered(job.pointInTime(), job.memory()), job, grouping.table());
                    // In a chain, nobody has compared a duplicate with its survivor.
                    Removal.change(writes, standing, options.linkage() == DeduplicateOptions.Linkage.CHAIN);
                }
            }
        } catch (RuntimeException e) {
            outcome.failed(e, task, indices.toArray(String[]::new));
        }
        outcome.refresh(client, written);
        return tags;
    }

    private static long duplicates(List<Group> groups) {
        return groups.stream().mapToLong(group -> group.members().length).sum();
    }

    private JobResponse response(
            Grouping grouping,
            List<Group> groups,
            RememberedPairs remembered,
            DuplicateTags tags,
            long start,
            long ofPath) {
        PassCounts passes = grouping.search().counts();
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("took", (System.nanoTime() - start) / 1_000_000);
        counts.put("documents", grouping.search().documents());
        counts.put("fingerprinted", passes.fingerprinted());
        counts.put("pairs", grouping.pairs());
        counts.put("pairs_compared", passes.compared() + grouping.comparedInRounds());
        if (options.passages() != null) {
            counts.put("block_terms", grouping.search().blockTerms());
        }
        counts.put("groups", (long) groups.size());
        counts.put("duplicates", duplicates(groups));
        if (options.against() != null) {
            counts.put("matched", duplicates(groups));
        }
        counts.put("largest_group", (long)
                groups.stream().mapToInt(Group::size).max().orElse(0));
        counts.put("split_groups", (long) grouping.splitGroups());
        counts.put("kept_apart", grouping.keptApart());
        counts.put("decisions_without_documents", remembered.withoutDocuments());
        (tags == null ? DuplicateTags.Changes.NONE : tags.changes()).addTo(counts);
        outcome.addWritten(counts);
        outcome.warnOfObstacles(indices);
        counts.put("passes", (long) grouping.search().passes());
        List<Map<String, Object>> examples = groups.stream()
                .limit(EXAMPLES)
                .map(group -> GroupReport.of(group, grouping.table(), EXAMPLES))
                .toList();
        Map<String, Object> more = new LinkedHashMap<>();
        if (options.against() != null) {
            more.put("matched_share", ofPath == 0 ? 0 : (double) duplicates(groups) / ofPath);
        }
        if (sinceRun != null) {
            more.put("new_since", sinceRun);
        }
        if (options.dest() != null) {
            more.put("page", GroupMapping.page(options.dest()));
        }
        more.put("schemes", passes.schemes());
        more.put("phases_millis", task.millis());
        more.put("examples", examples);
        return new JobResponse(run, counts, outcome, more);
    }
}
