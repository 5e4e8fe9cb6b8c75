/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.aggregations.metrics.Sum;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.groups.ApartDocuments;
import org.opensearch.simhash.core.groups.GroupNames.NamePool;
import org.opensearch.simhash.core.join.Linkage;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.FieldCheck;
import org.opensearch.simhash.jobs.SourceCheck;
import org.opensearch.simhash.jobs.TargetCheck;
import org.opensearch.simhash.jobs.apply.DecidedDocuments.StandingDecisions;
import org.opensearch.simhash.jobs.apply.GroupDecision.GroupVersion;
import org.opensearch.simhash.jobs.apply.GroupDecision.Version;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobRequest;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.job.JobRun.JobFields;
import org.opensearch.simhash.jobs.job.JobRun.JobQueries;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobStatus.Deletion;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.job.MovedIndex;
import org.opensearch.simhash.jobs.job.RivalJobs;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.removal.Removal;
import org.opensearch.simhash.jobs.removal.RetriedGets;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.PointInTime.HitPages;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.DuplicateTags;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.jobs.write.JobWrites;
import org.opensearch.simhash.jobs.write.JobWrites.Consent;
import org.opensearch.simhash.jobs.write.RememberedPairs;
import org.opensearch.simhash.jobs.write.TextPrints;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/**
 * Applies the decided groups of a run, slice by slice. Looks their documents up in one point in time, leaves out those that have
 * changed, and tags or deletes the others as a job does. Keeps one slice of groups in memory. One thread, which blocks.
 */
final class ApplyJob {

    private static final int MOST_GROUPS = 1_000;

    /** Bytes per document, without its row in the table. */
    private static final long BYTES = 300;

    private final JobServices services;
    private final JobTask task;
    private final Client client;
    private final ApplyOptions options;
    private final JobOutcome outcome;
    private final BulkWrites writes;
    private final Retries retries;
    private final long start = System.nanoTime();

    /** Ids of the groups of all slices: no two may have the same. */
    private NamePool names;

    private RememberedPairs remembered;

    /** Indices of the run whose documents are in {@code into} now; null if none has moved. */
    private List<String> moved = List.of();

    private String into;
    private final Set<String> ofMembers = new HashSet<>();

    /** Groups of the run by their decision, and those without one. */
    private Map<String, Long> decisions;

    private long groups;
    private long duplicates;
    private long rejected;
    private long keptApart;
    private long outside;
    private long refused;
    private DuplicateTags.Changes changes = DuplicateTags.Changes.NONE;

    ApplyJob(JobServices services, JobTask task, Client client, ApplyOptions options, JobOutcome outcome) {
        this.services = services;
        this.task = task;
        this.client = client;
        this.options = options;
        this.outcome = outcome;
        this.writes = new BulkWrites(client, task, outcome);
        this.retries = task.retries();
    }

    JobResponse run(JobRequest<?> request) {
        try (PointInTime dest = request.openDest(options.dest(), services, client, retries, outcome)) {
            GroupMapping.require(services.state(), Arrays.asList(dest.indices()));
            try (PointInTime sources = request.open(null, services, client, retries, outcome)) {
                apply(request, dest, sources);
            }
        }
        explainNothing();
        task.enter(Phase.DONE, 0);
        return response(request.indices());
    }

    private void apply(JobRequest<?> request, PointInTime dest, PointInTime sources) {
        DeduplicateOptions job = options.asJob(parameters(dest));
        ClusterState state = services.state();
        new TargetCheck(state, job, List.of(sources.indices())).check();
        List<String> changed = concerned(request, dest, sources);
        SourceCheck sourceCheck = new SourceCheck(state, job);
        // Survivors of the other side stay as they are.
        List<String> mine = job.against() == null
                ? changed
                : changed.stream().filter(ofMembers::contains).toList();
        outcome.leaveAsTheyAre(sourceCheck.check(changed, mine));
        sourceCheck.requireNoText(services.recipes(job.kind()), changed);
        requireFor(job, schemes(sources, job, state, changed));
        refuseRivals(changed);
        begin(job, dest);
        List<String> written = new ArrayList<>();
        JobFields fields = fields(job, dest, changed);
        warnOfEarlier(dest);
        try (Account ofAll = new Account(services.memory())) {
            names = new NamePool(ofAll);
            remembered = RememberedPairs.read(dest, sources, job.field(), task, state.metadata(), ofAll);
            remembered.warnings().forEach(outcome::warn);
            JobRun run = run(job, fields, sources, ofAll);
            Removal.prepare(run, true, mine.stream().filter(outcome::isWritable).toList(), written);
            HitPages pages = new HitPages(
                    dest,
                    new SearchSourceBuilder().query(decided()).fetchSource(true).seqNoAndPrimaryTerm(true));
            ReadSlices slices = new ReadSlices(services.memory(), retries);
            while (pages.isEnd() == false && outcome.isStopped() == false) {
                try (ReadSlices.Slice slice = slices.next();
                        Account memory = new Account(services.memory())) {
                    List<SearchHit> hits = slice.read(pages, MOST_GROUPS, outcome::noRoom);
                    apply(hits, run(job, fields, sources, memory));
                }
            }
            remembered.write(new JobWrites(run, options.run(), null, writes, outcome, Consent.GIVEN), null);
        } catch (RuntimeException e) {
            outcome.failed(e, task, options.dest());
        }
        outcome.refresh(client, written);
    }

    private JobRun run(DeduplicateOptions job, JobFields fields, PointInTime sources, Account memory) {
        JobQueries all = new JobQueries(job.query(), null);
        return new JobRun(services, task, client, job, all, fields, sources, memory);
    }

    /** Pairs with another survivor than that of the job must meet its conditions, too, and those of a chain before one ends. */
    private JobFields fields(DeduplicateOptions job, PointInTime dest, List<String> changed) {
        BoolQueryBuilder chosen = decided().filter(JobQuery.exists(GroupMapping.CHOSEN_SURVIVOR + ".id"));
        boolean mayEnd =
                job.action() == DeduplicateOptions.Action.DELETE && job.linkage() == DeduplicateOptions.Linkage.CHAIN;
        return job.conditions().isEmpty() || changed.isEmpty() || (mayEnd == false && dest.count(chosen) == 0)
                ? new JobFields(changed, List.of(), PairConditions.NONE, false)
                : new FieldCheck(job, changed).checkPairs(client, retries);
    }

    /** Where some fingerprints are made of text and others are not, each pair is judged by itself. */
    private static void requireFor(DeduplicateOptions job, Set<String> schemes) {
        boolean areOfOneKind =
                schemes.stream().map(Freshness::isNotOfText).distinct().count() == 1;
        if (areOfOneKind && job.action() == DeduplicateOptions.Action.DELETE && job.comparesFingerprints()) {
            job.ending().requireFor("delete", schemes);
        }
    }

    /** All schemes of the indices. Each search leaves out the schemes found so far and finds the next one. */
    private static Set<String> schemes(
            PointInTime sources, DeduplicateOptions job, ClusterState state, List<String> indices) {
        String scheme = job.field() + "." + FingerprintFields.SCHEME;
        // Filtering the source is an error where an index keeps none.
        List<String> readable = indices.stream()
                .filter(index -> state.metadata().hasIndex(index)
                        && new IndexMapping(state.metadata().index(index)).keepsInSource(scheme))
                .toList();
        Set<String> schemes = new TreeSet<>();
        for (boolean isNew = true; isNew; ) {
            BoolQueryBuilder others = QueryBuilders.boolQuery()
                    .filter(QueryBuilders.termsQuery("_index", readable))
                    .filter(JobQuery.exists(scheme))
                    .mustNot(JobQuery.whole(scheme, schemes));
            SearchHits any = sources.search(new SearchSourceBuilder()
                            .query(others)
                            .fetchSource(scheme, null)
                            .trackTotalHits(false)
                            .size(1))
                    .getHits();
            isNew = schemes.addAll(Arrays.stream(any.getHits())
                    .flatMap(hit -> DocumentValues.at(scheme, hit.getSourceAsMap()).stream())
                    .map(Object::toString)
                    .toList());
        }
        return schemes;
    }

    /** Of the run, which all its groups share: the fingerprint object as {@code field}. */
    private Map<?, ?> parameters(PointInTime dest) {
        SearchHit[] any = dest.search(new SearchSourceBuilder()
                        .query(ofRun())
                        .fetchSource(GroupMapping.PARAMETERS, null)
                        .size(1))
                .getHits()
                .getHits();
        if (any.length == 0) {
            throw new ResourceNotFoundException(
                    "[run] must be a run that has groups in [" + options.dest() + "], got: " + options.run());
        }
        Object parameters = any[0].getSourceAsMap().get(GroupMapping.PARAMETERS);
        if (parameters instanceof Map<?, ?> map && map.get("field") instanceof String) {
            return map;
        }
        throw new IllegalArgumentException("[dest] must have groups with the [parameters] of their run, got: "
                + any[0].getIndex() + ", where [" + any[0].getId() + "] has: " + parameters);
    }

    private BoolQueryBuilder ofRun() {
        return GroupMapping.ofRun(options.run());
    }

    /** Unknown decisions are read, too, and refused. */
    private BoolQueryBuilder decided() {
        return switch (options.only()) {
            case ACCEPTED ->
                ofRun().filter(JobQuery.exists(GroupMapping.DECISION_NAME))
                        .mustNot(decisions(GroupMapping.REJECTED_GROUP, GroupMapping.SKIPPED));
            case NOT_REJECTED -> ofRun().mustNot(decisions(GroupMapping.REJECTED_GROUP));
        };
    }

    private static JobQuery decisions(String... decisions) {
        return JobQuery.whole(GroupMapping.DECISION_NAME, List.of(decisions));
    }

    /** The indices of the request that groups of the run name, or that have their documents now. */
    private List<String> concerned(JobRequest<?> request, PointInTime dest, PointInTime sources) {
        SearchSourceBuilder all =
                new SearchSourceBuilder().query(ofRun()).size(MOST_GROUPS).fetchSource(GroupMapping.SURVIVOR, null);
        for (String part : List.of(GroupMapping.SURVIVOR, GroupMapping.MEMBERS)) {
            all.aggregation(
                    AggregationBuilders.terms(part).field(part + ".index").size(MOST_GROUPS));
        }
        SearchResponse found = dest.search(all);
        Set<String> named = new TreeSet<>();
        found.getAggregations()
                .forEach(part -> ((Terms) part).getBuckets().forEach(index -> named.add(index.getKeyAsString())));
        Terms members = found.getAggregations().get(GroupMapping.MEMBERS);
        members.getBuckets().forEach(index -> ofMembers.add(index.getKeyAsString()));
        List<String> indices = List.of(sources.indices());
        MovedIndex place =
                new MovedIndex(services.state(), client, List.of(request.indices()), indices, options.into());
        moved = place.moved(named);
        into = place.of(
                moved,
                Arrays.stream(found.getHits().getHits())
                        .map(hit -> (Map<?, ?>) hit.getSourceAsMap().get(GroupMapping.SURVIVOR))
                        .filter(survivor -> moved.contains(survivor.get("index")))
                        .map(survivor -> String.valueOf(survivor.get("id")))
                        .toArray(String[]::new));
        named.retainAll(indices);
        if (into != null) {
            named.add(into);
            ofMembers.add(into);
        }
        return List.copyOf(named);
    }

    /** A job chooses survivors by an order, people by reading. Each could delete what the other keeps. */
    private void refuseRivals(List<String> changed) {
        if (options.action() == DeduplicateOptions.Action.DELETE) {
            Deletion deletion = new Deletion(
                    changed, "the decisions in [" + options.dest() + "], task [" + services.id(task) + "]");
            task.deletes(deletion);
            new RivalJobs(client, services.id(task)).refuse(deletion);
        }
    }

    private void begin(DeduplicateOptions job, PointInTime dest) {
        SearchSourceBuilder sizes = new SearchSourceBuilder()
                .query(decided())
                .size(0)
                .trackTotalHits(true)
                .aggregation(AggregationBuilders.sum("documents").field(GroupMapping.SIZE));
        SearchResponse found = dest.search(sizes);
        long decided = found.getHits().getTotalHits().value();
        Sum sum = found.getAggregations().get("documents");
        long documents = (long) sum.getValue();
        long writable = options.action() == DeduplicateOptions.Action.TAG ? documents : documents - decided;
        decisions = decisions(dest);
        task.documents(documents);
        task.groups(decided);
        // Only writes are steps, so that the remaining time of a throttled job is known.
        task.enter(Phase.WRITE, writable, writable * job.writesOfADocument());
    }

    private Map<String, Long> decisions(PointInTime dest) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String decision : GroupMapping.DECISIONS) {
            counts.put(decision, dest.count(ofRun().filter(decisions(decision))));
        }
        counts.put(
                "without a decision",
                dest.count(ofRun().mustNot(decisions(GroupMapping.DECISIONS.toArray(String[]::new)))));
        return counts;
    }

    private void warnOfEarlier(PointInTime dest) {
        BoolQueryBuilder applied = ofRun().filter(JobQuery.exists(GroupMapping.APPLIED_AT));
        SearchHits earlier = dest.search(new SearchSourceBuilder()
                        .query(applied)
                        .trackTotalHits(true)
                        .fetchSource(new String[] {GroupMapping.APPLIED_AT, GroupMapping.APPLIED_ACTION}, null)
                        .size(1))
                .getHits();
        if (earlier.getHits().length > 0) {
            Map<String, Object> group = earlier.getAt(0).getSourceAsMap();
            outcome.warn(
                    "the run was applied before, to " + earlier.getTotalHits().value() + " groups: ["
                            + group.get(GroupMapping.APPLIED_ACTION) + "] at " + group.get(GroupMapping.APPLIED_AT)
                            + ". Documents that this changed are left alone");
        }
    }

    /** Also after cancellation. Not where the job ended at its first write. */
    private void noteApplied(List<GroupVersion> applied) {
        Map<String, Object> note = new HashMap<>();
        note.put(GroupMapping.APPLIED_AT, Instant.now().toString());
        note.put(GroupMapping.APPLIED_ACTION, options.action().name().toLowerCase(Locale.ROOT));
        note.put(GroupMapping.APPLIED_ARCHIVE, options.archive());
        BulkRequest bulk = new BulkRequest();
        applied.forEach(group -> bulk.add(new UpdateRequest(group.index(), group.id()).doc(note)));
        boolean isRefused = outcome.isStopped() && outcome.changes() == 0;
        if (isRefused || applied.isEmpty()) {
            return;
        }
        String failure;
        try {
            BulkResponse written = services.client().bulk(bulk).actionGet();
            failure = written.hasFailures() ? written.buildFailureMessage() : null;
        } catch (RuntimeException e) {
            failure = String.valueOf(e.getMessage());
        }
        if (failure != null) {
            outcome.warn("[dest] does not say of all groups that they were applied: " + failure);
        }
    }

    private void explainNothing() {
        if (outcome.changes() == 0 && outcome.isStopped() == false) {
            outcome.warn("nothing was applied: " + why());
        }
    }

    private String why() {
        if (groups + outside + refused == 0) {
            return "of the groups of the run, " + describe(decisions) + ", and [only] "
                    + options.only().name().toLowerCase(Locale.ROOT) + " takes none of these";
        }
        Map<String, Long> reasons = new LinkedHashMap<>();
        reasons.put("changed since the run, which would have to run again", outcome.count(JobCount.VERSION_CONFLICTS));
        reasons.put("kept apart", keptApart);
        reasons.put("rejected", rejected);
        reasons.put("in groups outside of [index]", outside);
        reasons.put("in groups that are refused", refused);
        reasons.put("not similar enough", outcome.count(JobCount.NOT_SIMILAR));
        reasons.put("with text of their own", outcome.count(JobCount.OWN_TEXT));
        reasons.put("with stale fingerprints", outcome.count(JobCount.STALE_FINGERPRINT));
        reasons.put("without text", outcome.count(JobCount.NO_TEXT));
        reasons.put("too short without [short_texts]", outcome.count(JobCount.SHORT_TEXT));
        reasons.put("in read-only indices", outcome.count(JobCount.READ_ONLY));
        String described = describe(reasons);
        return described.isEmpty() ? "all documents are as they should be" : "documents are " + described;
    }

    private static String describe(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
    }

    private void apply(List<SearchHit> hits, JobRun run) {
        List<GroupDecision> decisions = new ArrayList<>();
        Set<Version> wanted = new LinkedHashSet<>();
        long steps = 0;
        for (SearchHit hit : hits) {
            task.ensureNotCancelled();
            try {
                GroupDecision decision = GroupDecision.of(hit, options.only(), this::placed);
                steps += steps(decision) + ofSurvivor();
                if (decision.isChosen() == false) {
                    continue;
                }
                if (run.options().against() != null && decision.isOtherSurvivor()) {
                    throw new IllegalArgumentException("[" + GroupMapping.CHOSEN_SURVIVOR
                            + "] must be the document of [against], got: "
                            + decision.survivor().id());
                }
                if (isInside(decision, run)) {
                    decisions.add(decision);
                    wanted.add(decision.survivor());
                    wanted.addAll(decision.duplicates());
                    wanted.addAll(decision.rejected());
                } else {
                    outside++;
                }
            } catch (IllegalArgumentException e) {
                refused++;
                outcome.fail(hit.getIndex(), hit.getId(), e.getMessage(), RestStatus.BAD_REQUEST);
            }
        }
        long done = decisions.isEmpty() ? 0 : write(decisions, wanted, run);
        if (outcome.isStopped() == false) {
            task.step(Math.max(0, steps - done));
        }
    }

    private String placed(String index) {
        return moved.contains(index) ? into : index;
    }

    /** Only tags are written into survivors, too. */
    private int ofSurvivor() {
        return options.action() == DeduplicateOptions.Action.TAG ? 1 : 0;
    }

    private static long steps(GroupDecision decision) {
        return (long) decision.duplicates().size() + decision.rejected().size();
    }

    /** A group is applied as a whole or not at all. A document of a deleted index is a conflict, as in a job. */
    private boolean isInside(GroupDecision decision, JobRun run) {
        ClusterState state = services.state();
        return Stream.concat(decision.duplicates().stream(), Stream.of(decision.survivor()))
                .map(Version::index)
                .allMatch(index -> run.fields().indices().contains(index)
                        || state.metadata().hasIndex(index) == false);
    }

    /** Returns the finished steps of the task. */
    private long write(List<GroupDecision> decisions, Set<Version> wanted, JobRun run) {
        run.memory().take(wanted.size() * BYTES);
        TextPrints prints = new TextPrints(
                services.state().metadata(), List.of(run.options().field()));
        DecidedDocuments documents = DecidedDocuments.find(run.pointInTime(), wanted, prints);
        List<Version> kept = new ArrayList<>();
        List<GroupDecision> writable = new ArrayList<>();
        for (GroupDecision decision : decisions) {
            List<Version> there =
                    documents.has(decision.survivor()) ? documents.unchanged(decision.duplicates()) : List.of();
            outcome.add(JobCount.VERSION_CONFLICTS, decision.duplicates().size() - there.size());
            // A survivor whose duplicates have all changed keeps its tag, as they do.
            boolean isChanged = there.isEmpty()
                    && decision.duplicates().isEmpty() == false
                    && decision.rejected().isEmpty();
            if (documents.has(decision.survivor()) && isChanged == false) {
                writable.add(decision.with(there));
                kept.add(decision.survivor());
                kept.addAll(there);
                if (options.action() == DeduplicateOptions.Action.TAG) {
                    kept.addAll(decision.rejected());
                }
            }
        }
        long[] addresses = documents.addresses(kept);
        run.requireWhole(addresses); // else the groups would count as applied
        StandingDecisions standing = new StandingDecisions(new RetriedGets(client, retries, outcome), outcome);
        long before = outcome.changes();
        boolean isDone = false;
        try {
            long steps = writable.isEmpty() ? 0 : write(writable, documents, addresses, standing, run);
            isDone = true;
            return steps;
        } finally {
            if (isDone || outcome.changes() > before) {
                count(decisions, standing);
            }
        }
    }

    private void count(List<GroupDecision> decisions, StandingDecisions standing) {
        List<GroupVersion> applied = new ArrayList<>();
        for (GroupDecision decision : decisions) {
            if (standing.isLeftAlone(decision.group())) {
                refused++;
            } else {
                groups++;
                applied.add(decision.group());
                duplicates += decision.duplicates().size();
                rejected += decision.rejected().size();
            }
        }
        noteApplied(applied);
    }

    private long write(
            List<GroupDecision> writable,
            DecidedDocuments documents,
            long[] addresses,
            StandingDecisions standing,
            JobRun run) {
        DocumentTable table = DocumentTable.read(run, run.fields().onLinks(), addresses, read -> {});
        ApartDocuments apart = new ApartDocuments(remembered.active(), table::rank, run.memory());
        List<Group> found = new ArrayList<>();
        ToIntFunction<Version> rank = document -> table.rank(documents.address(document));
        for (GroupDecision all : writable) {
            GroupDecision decision = all.with(together(all, rank, apart, table));
            keptApart += all.duplicates().size() - decision.duplicates().size();
            decision.documents()
                    .filter(documents::has)
                    .forEach(document -> standing.add(rank.applyAsInt(document), decision.group()));
            if (run.options().against() != null) {
                table.setOther(rank.applyAsInt(decision.survivor()));
            }
            if (decision.duplicates().isEmpty() == false) {
                found.add(group(decision, rank));
            }
        }
        JobWrites job = new JobWrites(run, options.run(), table, writes, outcome, standing);
        if (options.action() == DeduplicateOptions.Action.TAG) {
            DuplicateTags tags = new DuplicateTags(job, found, found, addresses, names);
            changes = changes.and(tags.changes());
            tags.write(remembered);
        }
        remembered.write(job, addresses);
        Removal.change(job, found, true);
        return found.stream()
                .mapToLong(group -> group.members().length + ofSurvivor())
                .sum();
    }

    /** Without duplicates that people keep apart from another document that stays in the group, or that do not meet the conditions. */
    private static List<Version> together(
            GroupDecision decision, ToIntFunction<Version> rank, ApartDocuments apart, DocumentTable table) {
        int survivor = rank.applyAsInt(decision.survivor());
        IntPredicate isMet = member -> decision.isOtherSurvivor() == false || table.meet(survivor, member);
        List<Version> all = decision.duplicates();
        int[] together = Linkage.together(survivor, all.stream().mapToInt(rank).filter(isMet), apart::from);
        return all.stream()
                .filter(duplicate -> Arrays.binarySearch(together, rank.applyAsInt(duplicate)) >= 0)
                .toList();
    }

    private static Group group(GroupDecision decision, ToIntFunction<Version> rank) {
        int[] members = decision.duplicates().stream().mapToInt(rank).sorted().toArray();
        byte[] distances = new byte[members.length];
        Arrays.fill(distances, (byte) -1);
        double[] similarities = new double[members.length];
        Arrays.fill(similarities, Double.NaN);
        return new Group(rank.applyAsInt(decision.survivor()), members, distances, similarities);
    }

    private JobResponse response(String... indices) {
        if (outside > 0) {
            outcome.warn("[index] does not cover " + outside + " of the groups: they are left as they are");
        }
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("took", (System.nanoTime() - start) / 1_000_000);
        counts.put("groups", groups);
        counts.put("duplicates", duplicates);
        counts.put("rejected", rejected);
        counts.put("kept_apart", keptApart);
        counts.put("decisions_without_documents", remembered.withoutDocuments());
        counts.put("outside", outside);
        counts.put("refused", refused);
        changes.addTo(counts);
        outcome.addWritten(counts);
        outcome.warnOfObstacles(List.of(indices));
        return new JobResponse(options.run(), counts, outcome);
    }
}
