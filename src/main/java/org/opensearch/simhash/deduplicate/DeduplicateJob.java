/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.simhash.deduplicate.join.Account;
import org.opensearch.simhash.deduplicate.join.ChainLinkage;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Cliques;
import org.opensearch.simhash.deduplicate.join.EdgeCheck;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.simhash.deduplicate.join.Linkage;
import org.opensearch.simhash.deduplicate.join.NearGraph;
import org.opensearch.simhash.deduplicate.join.SurvivorLinkage;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.transport.client.Client;

/** One run, from the scan to the writes. One thread, which waits for what it sends. */
final class DeduplicateJob {

    private static final int EXAMPLES = 10;

    /** Fewer documents are joined on one node: that takes less than telling others. */
    private static final int WORTH_SPREADING = 300_000;

    private final JobServices services;
    private final DeduplicateTask task;
    private final Client client;
    private final DeduplicateOptions options;
    private final String[] indices;
    private final String run;
    private final Account memory;
    private final Outcome outcome = new Outcome();
    private final Map<String, Long> millis = new LinkedHashMap<>();
    private long phaseStart;

    /**
     * A run.
     *
     * @param client sends everything as children of the task
     * @param indices names of the indices themselves, or of aliases
     */
    DeduplicateJob(
            JobServices services,
            DeduplicateTask task,
            Client client,
            DeduplicateOptions options,
            String[] indices,
            String run) {
        this.services = services;
        this.task = task;
        this.client = client;
        this.options = options;
        this.indices = indices;
        this.run = run;
        this.memory = new Account(services.memory());
    }

    DeduplicateResponse run(DeduplicateAction.Request request) throws IOException {
        long start = System.nanoTime();
        phaseStart = start;
        new SourceCheck(services.cluster().state(), options, indices).checkFields(client);
        PointInTime pointInTime =
                PointInTime.open(request.indices(), request.indicesOptions(), client, services.registry());
        try {
            Passes passes = new Passes(services.transport(), task, memory);
            Cliques found = join(pointInTime, passes);
            long pairs = found.pairs();
            long[] addresses = found.documents();
            enter(Phase.READ, addresses.length);
            DocumentTable table = DocumentTable.read(pointInTime, addresses, options.survivor(), memory, task);
            tookSinceLast("read");
            task.enter(Phase.GROUP, addresses.length);
            NearGraph graph = new NearGraph(found, addresses, table.ranks());
            Linkage linkage = linkage(graph, check(pointInTime, table));
            List<Group> groups = linkage.groups();
            task.groups(groups.size());
            tookSinceLast("group");
            write(pointInTime, table, groups);
            tookSinceLast("write");
            task.enter(Phase.DONE, 0);
            return response(start, passes, pairs, table, groups, linkage.splitGroups());
        } finally {
            memory.close();
            pointInTime.close(services.client());
        }
    }

    private Cliques join(PointInTime pointInTime, Passes passes) {
        long documents = pointInTime.count(options.query());
        task.documents(documents);
        List<DiscoveryNode> nodes = nodes(pointInTime, documents);
        int chunks = services.memory().chunks(documents);
        while (Chunks.pairs(chunks).size() < nodes.size()) {
            chunks++;
        }
        List<Chunks> pairs = Chunks.pairs(chunks);
        task.passes(pairs.size());
        enter(Phase.SCAN, documents * pairs.size());
        int rows = (int) Math.min(Integer.MAX_VALUE / 2, chunks == 1 ? documents : documents * 2 / chunks);
        Cliques found = passes.run(
                pairs,
                nodes,
                pair -> new PairsAction.Request(
                        pointInTime.id(),
                        options.query(),
                        options.field(),
                        options.same(),
                        options.maxDistance(),
                        rows,
                        pair));
        phaseStart = System.nanoTime();
        millis.put("scan", passes.scanMillis());
        millis.put("join", passes.joinMillis());
        millis.put("passes", (long) pairs.size());
        return found;
    }

    /** This node alone, or those that hold the shards. */
    private List<DiscoveryNode> nodes(PointInTime pointInTime, long documents) {
        ClusterState state = services.cluster().state();
        if (documents < WORTH_SPREADING) {
            return List.of(state.nodes().getLocalNode());
        }
        Set<DiscoveryNode> nodes = new TreeSet<>(Comparator.comparing(DiscoveryNode::getId));
        pointInTime.nodes().stream()
                .map(state.nodes()::get)
                .filter(node -> node != null)
                .forEach(nodes::add);
        return nodes.isEmpty() ? List.of(state.nodes().getLocalNode()) : List.copyOf(nodes);
    }

    private EdgeCheck check(PointInTime pointInTime, DocumentTable table) {
        return options.verify() == null
                ? EdgeCheck.NONE
                : new VerifiedTexts(options, services.recipes(), pointInTime, table, memory, task);
    }

    private Linkage linkage(NearGraph graph, EdgeCheck check) {
        return switch (options.linkage()) {
            case SURVIVOR -> new SurvivorLinkage(graph, options.maxGroupSize(), check, task::stepsDone);
            case CHAIN -> new ChainLinkage(graph, options.maxGroupSize(), check, task::stepsDone);
        };
    }

    private void write(PointInTime pointInTime, DocumentTable table, List<Group> groups) throws IOException {
        long duplicates =
                groups.stream().mapToLong(group -> group.members().length).sum();
        task.enter(Phase.WRITE, options.action() == DeduplicateOptions.Action.REPORT ? groups.size() : duplicates);
        BulkWrites writes = new BulkWrites(client, task, options.requestsPerSecond(), outcome);
        ClusterState state = services.cluster().state();
        List<String> written = new ArrayList<>();
        if (options.dest() != null) {
            ArchiveIndex.createForGroups(client, state, options.dest());
            new GroupIndex(options, run, table, writes, task).write(groups);
            written.add(options.dest());
        }
        switch (options.action()) {
            case REPORT -> {}
            case TAG -> {
                DuplicateTags.map(client, services.cluster(), options.field(), pointInTime.indices());
                new DuplicateTags(options, pointInTime, table, writes, task, outcome).write(groups);
                written.addAll(List.of(pointInTime.indices()));
            }
            case DELETE -> {
                if (options.archive() != null) {
                    ArchiveIndex.create(client, state, options.archive());
                    written.add(options.archive());
                }
                new Removal(options, run, pointInTime, table, client, writes, task, outcome).write(groups);
                written.addAll(List.of(pointInTime.indices()));
            }
        }
        if (written.isEmpty() == false) {
            client.admin()
                    .indices()
                    .prepareRefresh(written.toArray(String[]::new))
                    .get();
        }
    }

    private DeduplicateResponse response(
            long start, Passes passes, long pairs, DocumentTable table, List<Group> groups, int splitGroups) {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("took", (System.nanoTime() - start) / 1_000_000);
        counts.put("documents", passes.documents());
        counts.put("fingerprinted", passes.fingerprinted());
        counts.put("pairs", pairs);
        counts.put("pairs_compared", passes.compared());
        counts.put("groups", (long) groups.size());
        counts.put(
                "duplicates",
                groups.stream().mapToLong(group -> group.members().length).sum());
        counts.put("largest_group", (long)
                groups.stream().mapToInt(Group::size).max().orElse(0));
        counts.put("split_groups", (long) splitGroups);
        counts.put("tagged", outcome.tagged);
        counts.put("cleared", outcome.cleared);
        counts.put("deleted", outcome.deleted);
        counts.put("archived", outcome.archived);
        counts.put("version_conflicts", outcome.conflicts);
        counts.put("passes", millis.remove("passes"));
        List<GroupReport> examples = groups.stream()
                .limit(EXAMPLES)
                .map(group -> GroupIndex.report(group, table, EXAMPLES))
                .toList();
        return new DeduplicateResponse(run, counts, passes.schemes(), millis, outcome.failures(), examples);
    }

    private void enter(Phase phase, long steps) {
        tookSinceLast("check");
        task.enter(phase, steps);
    }

    private void tookSinceLast(String phase) {
        long now = System.nanoTime();
        millis.putIfAbsent(phase, (now - phaseStart) / 1_000_000);
        phaseStart = now;
    }
}
