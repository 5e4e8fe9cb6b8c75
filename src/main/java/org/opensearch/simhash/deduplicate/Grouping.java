/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.deduplicate.join.Account;
import org.opensearch.simhash.deduplicate.join.ChainLinkage;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Cliques;
import org.opensearch.simhash.deduplicate.join.EdgeCheck;
import org.opensearch.simhash.deduplicate.join.Group;
import org.opensearch.simhash.deduplicate.join.NearGraph;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.SurvivorLinkage;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.transport.client.Client;

/**
 * The groups of a point in time. Usually the join finds all links at once. Where these are too many to keep (raw word counts make
 * most fingerprints near to most others), groups are made in rounds: links of the documents that come next in the survivor
 * order to all that are still free, then those of the next. The groups are the same. One thread, which waits.
 */
final class Grouping {

    /** Fewer documents are joined on one node: that takes less than telling others. */
    private static final int WORTH_SPREADING = 300_000;

    private static final int FIRST_FRONT = 20_000;
    private static final int LARGER = 4;

    private final JobServices services;
    private final DeduplicateTask task;
    private final Client client;
    private final DeduplicateOptions options;
    private final PointInTime pointInTime;
    private final Account memory;
    private final PhaseTimes times;
    private final Passes passes;
    private List<DiscoveryNode> nodes;
    private List<Chunks> chunks;
    private int rows;
    private long documents;
    private long pairs;
    private NewDocuments newDocuments;
    private int splitGroups;
    private DocumentTable table;

    Grouping(
            JobServices services,
            DeduplicateTask task,
            Client client,
            DeduplicateOptions options,
            PointInTime pointInTime,
            Account memory,
            PhaseTimes times) {
        this.services = services;
        this.task = task;
        this.client = client;
        this.options = options;
        this.pointInTime = pointInTime;
        this.memory = memory;
        this.times = times;
        this.passes = new Passes(services.transport(), client, task, memory);
    }

    List<Group> groups() {
        plan();
        if (options.newSince() != null) {
            newDocuments = NewDocuments.read(options, pointInTime, memory, task);
            times.end("check");
        }
        boolean chain = options.linkage() == DeduplicateOptions.Linkage.CHAIN;
        boolean verified = options.verify() != null;
        Wanted wanted = chain && verified == false
                ? new Wanted(Long.MAX_VALUE, true, null, new long[0])
                : new Wanted(services.memory().links(), false, null, new long[0]);
        NearJoin.Found found = options.candidates() == null ? join(wanted) : candidates();
        pairs = found.pairs();
        if (newDocuments != null && found.tooMany() == false) {
            found = new NearJoin.Found(found.cliques().connectedWith(newDocuments::contains), pairs, false);
        }
        memory.take(found.cliques().bytes() + found.cliques().links().size() * 10);
        long[] addresses = found.cliques().documents();
        task.enter(Phase.READ, addresses.length);
        table = DocumentTable.read(pointInTime, addresses, options.survivor(), memory, task);
        times.end("read");
        task.enter(Phase.GROUP, addresses.length);
        EdgeCheck check = verified
                ? new VerifiedTexts(options, services.recipes(), pointInTime, table, memory, task)
                : EdgeCheck.NONE;
        if (chain) {
            if (found.tooMany()) {
                throw new IllegalArgumentException("[max_distance] must be smaller for [linkage] chain with [verify]: "
                        + found.pairs() + " pairs to verify do not fit into [plugins.simhash.deduplicate.memory], got: "
                        + options.maxDistance());
            }
            ChainLinkage linkage = new ChainLinkage(graph(found), options.maxGroupSize(), check, task::stepsDone);
            List<Group> groups = linkage.groups();
            splitGroups = linkage.splitGroups();
            times.end("group");
            return groups;
        }
        SurvivorLinkage linkage = new SurvivorLinkage(addresses.length, options.maxGroupSize(), check, task::stepsDone);
        if (found.tooMany()) {
            linkInRounds(linkage);
        } else {
            linkage.link(graph(found));
        }
        splitGroups = linkage.splitGroups();
        times.end("group");
        return linkage.groups();
    }

    private NearJoin.Found candidates() {
        String index = options.candidates().index();
        PointInTime log = PointInTime.open(
                new String[] {index}, SearchRequest.DEFAULT_INDICES_OPTIONS, client, services.registry());
        try {
            task.enter(Phase.SCAN, log.count(QueryBuilders.matchAllQuery()));
            Cliques found = new CandidateSets(options, pointInTime, memory, task).read(log);
            times.end("scan");
            return new NearJoin.Found(found, found.links().size(), false);
        } finally {
            log.close(services.client());
        }
    }

    private void linkInRounds(SurvivorLinkage linkage) {
        int front = FIRST_FRONT;
        int next = 0;
        while (next < table.size()) {
            int end = next;
            int free = 0;
            while (end < table.size() && free < front) {
                free += linkage.isTaken(end++) ? 0 : 1;
            }
            times.end("group");
            NearJoin.Found found = joinAll(
                    new Wanted(services.memory().links(), false, free(linkage, next, end), taken(linkage, next)));
            if (found.tooMany()) {
                if (front == 1) {
                    throw new IllegalStateException("the links of one document do not fit into the memory");
                }
                front = Math.max(1, front / LARGER);
                continue;
            }
            task.enter(Phase.GROUP, table.size());
            linkage.link(graph(found), next, end);
            if (found.cliques().links().size() < services.memory().links() / (2 * LARGER)) {
                front *= LARGER;
            }
            next = end;
        }
    }

    private long[] free(SurvivorLinkage linkage, int from, int to) {
        long[] addresses = new long[to - from];
        int size = 0;
        for (int rank = from; rank < to; rank++) {
            if (linkage.isTaken(rank) == false) {
                addresses[size++] = table.address(rank);
            }
        }
        return sorted(addresses, size);
    }

    /** All before a rank are decided, and some after it. */
    private long[] taken(SurvivorLinkage linkage, int from) {
        long[] addresses = new long[table.size()];
        int size = 0;
        for (int rank = 0; rank < table.size(); rank++) {
            if (rank < from || linkage.isTaken(rank)) {
                addresses[size++] = table.address(rank);
            }
        }
        return sorted(addresses, size);
    }

    private static long[] sorted(long[] addresses, int size) {
        long[] sorted = Arrays.copyOf(addresses, size);
        Arrays.sort(sorted);
        return sorted;
    }

    private NearGraph graph(NearJoin.Found found) {
        return new NearGraph(found.cliques(), table.addresses(), table.ranks());
    }

    /** How many passes, and where. */
    private void plan() {
        documents = pointInTime.count(options.query());
        task.documents(documents);
        int count = services.memory().chunks(documents);
        nodes = nodes(count);
        while (Chunks.pairs(count).size() < nodes.size()) {
            count++;
        }
        chunks = Chunks.pairs(count);
        task.passes(chunks.size());
        rows = (int) Math.min(Integer.MAX_VALUE / 2, count == 1 ? documents : documents * 2 / count);
        times.end("check");
    }

    /** What is connected with new documents when there are any, all otherwise. */
    private NearJoin.Found join(Wanted wanted) {
        if (newDocuments != null) {
            task.enter(Phase.SCAN, documents);
            PairsAction.Response response =
                    new NewComponents(services, task, options, pointInTime, memory).join(newDocuments, wanted);
            if (response != null && response.found().tooMany() == false) {
                passes.add(response);
                times.measured("scan", response.counts().scanMillis());
                times.measured("join", response.counts().joinMillis());
                return response.found();
            }
        }
        return joinAll(wanted);
    }

    private NearJoin.Found joinAll(Wanted wanted) {
        task.enter(Phase.SCAN, chunks.size());
        long scanned = passes.counts().scanMillis();
        long joined = passes.counts().joinMillis();
        NearJoin.Found found = passes.run(
                chunks,
                nodes,
                pair -> new PairsAction.Request(
                        pointInTime.id(),
                        options.query(),
                        options.field(),
                        options.same(),
                        options.maxDistance(),
                        rows,
                        pair,
                        wanted));
        times.measured("scan", passes.counts().scanMillis() - scanned);
        times.measured("join", passes.counts().joinMillis() - joined);
        return found;
    }

    /** This node alone, or those that hold the shards. */
    private List<DiscoveryNode> nodes(int count) {
        ClusterState state = services.cluster().state();
        DiscoveryNode here = state.nodes().getLocalNode();
        if (count == 1 && documents < WORTH_SPREADING) {
            return List.of(here);
        }
        Set<DiscoveryNode> holding = new TreeSet<>(Comparator.comparing(DiscoveryNode::getId));
        pointInTime.nodes().stream()
                .map(state.nodes()::get)
                .filter(node -> node != null)
                .forEach(holding::add);
        return holding.isEmpty() ? List.of(here) : List.copyOf(holding);
    }

    /** Addresses of the documents that may have lost their places in groups; null when all may. */
    long[] concerned() {
        return newDocuments == null
                ? null
                : LongStream.concat(Arrays.stream(newDocuments.addresses()), Arrays.stream(table.addresses()))
                        .sorted()
                        .distinct()
                        .toArray();
    }

    long documents() {
        return documents;
    }

    Passes passes() {
        return passes;
    }

    DocumentTable table() {
        return table;
    }

    long pairs() {
        return pairs;
    }

    int splitGroups() {
        return splitGroups;
    }
}
