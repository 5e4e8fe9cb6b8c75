/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.core.groups.GroupNames;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/**
 * Writes one document per group. Its id is made of the parameters and the survivor, so that a repeated run replaces its groups.
 * Keeps decisions about groups that did not change ({@link StoredDecision}).
 */
public final class GroupIndex {

    private static final int BATCH = 500;
    private static final int BATCH_MEMBERS = 20_000;
    private static final int MOST_MOVED = 1_000;

    /** Of a fingerprint as text. */
    private static final int BYTES = 250;

    /** If somebody decides meanwhile, the group is read again. */
    private static final int TRIES = 5;

    private final JobWrites job;
    private final Client client;
    private final DeduplicateOptions options;
    private final long start = System.currentTimeMillis();
    private final DocumentTable table;
    private final JobOutcome outcome;
    private final JobTask task;
    private final Retries retries;
    private long changedDecisions;

    public GroupIndex(JobWrites job) {
        this.job = job;
        this.client = job.run().client();
        this.options = job.run().options();
        this.table = job.table();
        this.outcome = job.outcome();
        this.task = job.run().task();
        this.retries = task.retries();
    }

    /** @param tags of the groups, which have read their ids; null if documents are not tagged */
    public void write(List<Group> groups, DuplicateTags tags, RememberedPairs remembered) {
        GroupNames names = tags == null ? null : tags.names();
        Map<String, Object> parameters = options.asMap();
        Map<Integer, List<RememberedPairs.Changed>> changed = remembered.changed(table);
        List<GroupDocument> batch = new ArrayList<>();
        int members = 0;
        for (Group group : groups) {
            batch.add(GroupDocument.of(group, table, parameters, names, asked(group, changed)));
            members += group.size();
            if (batch.size() >= BATCH || members >= BATCH_MEMBERS) {
                flush(batch);
                batch = new ArrayList<>();
                members = 0;
            }
        }
        flush(batch);
        if (changedDecisions > 0) {
            outcome.warn("[dest] has decisions about " + changedDecisions
                    + " groups whose documents changed since: kept as [" + GroupMapping.EARLIER
                    + "], to be decided again");
        }
    }

    private List<RejectedPair> asked(Group group, Map<Integer, List<RememberedPairs.Changed>> changed) {
        if (changed.isEmpty()) {
            return List.of();
        }
        Set<Integer> ranks = group.ranks().boxed().collect(Collectors.toSet());
        return ranks.stream()
                .sorted()
                .flatMap(rank -> changed.getOrDefault(rank, List.of()).stream())
                .filter(pair -> ranks.contains(table.rank(pair.documents().b())))
                .map(RememberedPairs.Changed::pair)
                .toList();
    }

    private List<GroupDocument> withFingerprints(List<GroupDocument> batch, Account memory) {
        Metadata metadata = job.run().services().state().metadata();
        TextPrints prints = new TextPrints(metadata, List.of(options.field()));
        Map<String, Boolean> kept = new HashMap<>();
        long[] addresses = batch.stream()
                .flatMapToInt(group -> group.group().ranks())
                .filter(rank -> kept.computeIfAbsent(table.indexOf(rank), prints::isKept))
                .mapToLong(table::address)
                .sorted()
                .toArray();
        Map<Integer, String> read = new HashMap<>();
        ShownColumns columns = new ShownColumns(kept.keySet().stream()
                .filter(kept::get)
                .map(index -> new IndexMapping(metadata.index(index)))
                .toList());
        job.run().pointInTime().read(addresses, columns.in(prints.source(true)), (address, hit) -> {
            read.put(table.rank(address), prints.of(hit));
            memory.take(BYTES + columns.read(table.rank(address), hit));
        });
        return batch.stream()
                .map(group -> group.with(
                        group.group()
                                .ranks()
                                .mapToObj(rank -> read.getOrDefault(
                                        rank,
                                        TextPrints.version(
                                                table.index(rank),
                                                table.sequenceNumber(rank),
                                                table.primaryTerm(rank))))
                                .toList(),
                        columns))
                .toList();
    }

    private void flush(List<GroupDocument> batch) {
        try (Account memory = new Account(job.run().memory())) {
            List<GroupDocument> rest = withFingerprints(batch, memory);
            for (int tries = TRIES; rest.isEmpty() == false && tries > 0 && outcome.isStopped() == false; tries--) {
                rest = write(rest, tries == 1);
            }
        }
        task.step(batch.size());
    }

    /** Returns those about which somebody has decided meanwhile. */
    private List<GroupDocument> write(List<GroupDocument> batch, boolean isLast) {
        Map<String, StoredDecision> there = decisions(batch);
        List<GroupDocument> again = new ArrayList<>();
        List<GroupDocument> readable =
                batch.stream().filter(group -> there.containsKey(group.id())).toList();
        job.bulks()
                .send(
                        readable,
                        all -> all,
                        group -> group.request(options.dest(), job.runId(), start, there.get(group.id())),
                        (group, answer) -> {
                            if (isLast == false && BulkWrites.isConflict(answer)) {
                                again.add(group);
                            } else if (job.bulks().succeeded(answer)) {
                                changedDecisions += there.get(group.id()).isAskedAgain(group) ? 1 : 0;
                                task.written(1);
                            }
                        });
        return again;
    }

    /** By group. A group that cannot be read is a failure and is not written, because a decision would be lost. */
    private Map<String, StoredDecision> decisions(List<GroupDocument> groups) {
        IndexMetadata written =
                JobIndex.written(job.run().services().state(), options.dest()).orElse(null);
        Map<String, StoredDecision> decisions = new HashMap<>();
        if (written == null) {
            groups.forEach(group -> decisions.put(group.id(), StoredDecision.NONE));
            return decisions;
        }
        String index = written.getIndex().getName();
        FetchSourceContext fields =
                new FetchSourceContext(true, GroupMapping.DECISION.toArray(String[]::new), new String[0]);
        MultiGetRequest gets = new MultiGetRequest();
        groups.forEach(group -> gets.add(new MultiGetRequest.Item(index, group.id()).fetchSourceContext(fields)));
        for (MultiGetItemResponse answer :
                retries.call(() -> client.multiGet(gets).actionGet()).getResponses()) {
            if (answer.isFailed()) {
                outcome.fail(
                        index,
                        answer.getId(),
                        "not written: whether people have decided about the group cannot be read: "
                                + answer.getFailure().getMessage(),
                        ExceptionsHelper.status(
                                ExceptionsHelper.unwrapCause(answer.getFailure().getFailure())));
            } else {
                decisions.put(answer.getId(), StoredDecision.of(answer.getResponse()));
            }
        }
        // A group may have a hundred thousand members, so that those with rejected ones are read one by one.
        decisions.replaceAll(
                (id, decision) -> decision.hasRejected() ? StoredDecision.ofWhole(whole(index, id)) : decision);
        addMoved(index, groups, decisions);
        return decisions;
    }

    /** By the action of the other reads: a job needs no right to another one. */
    private GetResponse whole(String index, String id) {
        return retries.call(() -> {
            MultiGetItemResponse answer =
                    client.prepareMultiGet().add(index, id).get().getResponses()[0];
            if (answer.isFailed()) {
                throw ExceptionsHelper.convertToOpenSearchException(
                        answer.getFailure().getFailure());
            }
            return answer.getResponse();
        });
    }

    /** Decisions about the same documents in other indices: the newest one by survivor, of those that fit. */
    private void addMoved(String index, List<GroupDocument> groups, Map<String, StoredDecision> decisions) {
        Map<String, List<GroupDocument>> bySurvivor = groups.stream()
                .filter(group -> StoredDecision.NONE.equals(decisions.get(group.id())))
                .collect(Collectors.groupingBy(group -> table.id(group.group().survivor())));
        if (bySurvivor.isEmpty()) {
            return;
        }
        String survivor = GroupMapping.SURVIVOR + ".id";
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(QueryBuilders.boolQuery()
                        .filter(JobQuery.exists(GroupMapping.DECISION_NAME))
                        .filter(JobQuery.whole(survivor, bySurvivor.keySet())))
                .fetchSource(
                        Stream.concat(GroupMapping.DECISION.stream(), Stream.of(survivor))
                                .toArray(String[]::new),
                        null)
                .sort(GroupMapping.RUN_AT, SortOrder.DESC)
                .size(MOST_MOVED);
        SearchRequest moved =
                new SearchRequest(index).source(source).pipeline("_none").allowPartialSearchResults(false);
        for (SearchHit hit :
                retries.call(() -> client.search(moved).actionGet()).getHits()) {
            Map<String, Object> stored = hit.getSourceAsMap();
            Map<String, Object> whole =
                    RejectedPair.isDecidedIn(stored) ? whole(index, hit.getId()).getSourceAsMap() : stored;
            StoredDecision decision = StoredDecision.moved(whole == null ? stored : whole);
            ((Map<?, ?>) stored.get(GroupMapping.SURVIVOR))
                    .values().stream()
                            .flatMap(id -> bySurvivor.getOrDefault(id, List.of()).stream())
                            .filter(group -> StoredDecision.NONE.equals(decisions.get(group.id())))
                            .filter(group -> decision.isOfOthers(group) == false)
                            .forEach(group -> decisions.put(group.id(), decision));
        }
    }
}
