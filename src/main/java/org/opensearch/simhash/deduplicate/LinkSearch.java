/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Cliques;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.memory.Account;
import org.opensearch.transport.client.Client;

/**
 * Finds which documents of a point in time are near-duplicates of which: by passes on this node or on all that hold shards, by
 * what is near new documents only, or by the candidates that are written down in an index. One thread, which waits.
 */
final class LinkSearch {

    /** Fewer documents are joined on one node: that takes less than telling others. */
    private static final int WORTH_SPREADING = 300_000;

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
    /** Null when it does not matter what is new. */
    private NewDocuments newDocuments;

    LinkSearch(
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

    /** Decides how many passes it takes and where they run; finds out what is new when that matters. */
    void plan() {
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
        newDocuments = options.newSince() == null ? null : NewDocuments.read(options, pointInTime, memory, task);
        times.end("check");
    }

    /** The links of all documents, or of those that are connected with new ones. */
    NearJoin.Found first(Wanted wanted) {
        NearJoin.Found found = options.candidates() == null ? join(wanted) : candidates();
        return newDocuments == null || found.tooMany()
                ? found
                : new NearJoin.Found(found.cliques().connectedWith(newDocuments::contains), found.pairs(), false);
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
        return among(wanted);
    }

    /** The links of some documents to some others, as said. */
    NearJoin.Found among(Wanted wanted) {
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

    long documents() {
        return documents;
    }

    /** Addresses of the new documents; null when it does not matter what is new. */
    long[] newDocuments() {
        return newDocuments == null ? null : newDocuments.addresses();
    }

    Passes passes() {
        return passes;
    }
}
