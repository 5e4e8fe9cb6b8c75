/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.index.Index;
import org.opensearch.monitor.jvm.JvmInfo;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer.ItemAnswer;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.arrivals.decision.NodeKnowledge;
import org.opensearch.simhash.arrivals.lookup.NodeLookups;
import org.opensearch.simhash.arrivals.lookup.NodeLookups.LookupGate;
import org.opensearch.simhash.arrivals.peers.PeerAnswers;
import org.opensearch.simhash.arrivals.peers.PeerNetwork;
import org.opensearch.simhash.arrivals.peers.Peers;
import org.opensearch.simhash.arrivals.request.BulkFilter;
import org.opensearch.simhash.arrivals.request.Simulations;
import org.opensearch.simhash.arrivals.round.Round.RoundServices;
import org.opensearch.simhash.arrivals.round.RoundsUnderWay;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.ArrivalWindow.WindowState;
import org.opensearch.simhash.arrivals.window.RecentTexts;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.memory.FingerprintMemory;
import org.opensearch.simhash.search.query.FingerprintPresence;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.simhash.search.query.SimHashQueries;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/** The shared services of a node's {@code near_duplicate} processors: window, lookups, rounds under way. Thread-safe. */
public final class NearDuplicates {

    /** The window may take half of the circuit breaker; bulks need the rest for lookups. */
    private static final int SHARE_OF_WINDOW = 2;

    /** Recent texts may take 1/50 of the heap. */
    private static final int SHARE_OF_TEXTS = 50;

    /** How often old entries are removed if no document arrives. */
    private static final TimeValue TIDY = TimeValue.timeValueSeconds(10);

    private final NearDuplicateSettings settings = new NearDuplicateSettings();
    private final Counters<DuplicateCount> counts = new Counters<>(DuplicateCount.class);
    private final Durations times = Durations.ofSearches();
    private final FingerprintMemory memory;
    private final Supplier<SearchedIndices.Cluster> cluster;
    private final FingerprintPresence presence;
    private final Spans spans;
    private final NodeKnowledge knowledge;
    private final RoundsUnderWay rounds;
    /** Null until {@link #start}. */
    private volatile NodeLookups lookups;
    /** Null until {@link #connect}. */
    private volatile Peers peers;

    /** Whether this node may have such a processor. */
    private volatile boolean used;

    /** @param cluster resolves index names, once the node has started */
    public NearDuplicates(
            SimHashQueries queries,
            Supplier<SearchedIndices.Cluster> cluster,
            FingerprintMemory memory,
            FingerprintPresence presence,
            Spans spans) {
        this.cluster = cluster;
        this.presence = presence;
        this.spans = spans;
        this.memory = memory;
        ArrivalWindow window = new ArrivalWindow(
                () -> System.nanoTime() / 1_000_000,
                memory,
                () -> memory.limit() / SHARE_OF_WINDOW,
                settings.windowBounds());
        long heap = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes();
        this.knowledge = new NodeKnowledge(window, new RecentTexts(memory, heap / SHARE_OF_TEXTS), queries);
        this.rounds = new RoundsUnderWay(window);
    }

    public void start(Client client, ClusterService clusterService) {
        Settings nodeSettings = clusterService.getSettings();
        int width = Math.max(2, OpenSearchExecutors.allocatedProcessors(nodeSettings));
        lookups = new NodeLookups(
                client,
                knowledge.queries(),
                new LookupGate(width),
                settings::lookupTimeout,
                () -> settings.cancelledAfter(clusterService.getClusterSettings()));
        ArrivalWindow window = knowledge.window();
        settings.follow(clusterService.getClusterSettings(), nodeSettings, () -> window.limit(settings.windowBounds()));
        client.threadPool().scheduleWithFixedDelay(this::tidy, TIDY, ThreadPool.Names.GENERIC);
        clusterService.addListener(this::forgetDeleted);
    }

    /** The window forgets deleted indices and data streams: a new one of the same name is another one. */
    private void forgetDeleted(ClusterChangedEvent event) {
        Set<String> deleted = new LinkedHashSet<>();
        for (Index index : event.indicesDeleted()) {
            deleted.add(index.getName());
            IndexAbstraction before =
                    event.previousState().metadata().getIndicesLookup().get(index.getName());
            IndexAbstraction stream = before == null ? null : before.getParentDataStream();
            if (stream != null && event.state().metadata().dataStreams().containsKey(stream.getName()) == false) {
                deleted.add(stream.getName());
            }
        }
        if (deleted.isEmpty() == false) {
            knowledge.window().forget(deleted);
        }
    }

    /** @return the service for their questions */
    PeerAnswers connect(PeerNetwork network) {
        peers = new Peers(knowledge.window(), network);
        return new PeerAnswers(
                knowledge.window(),
                knowledge.texts(),
                peers,
                this::scopes,
                memory,
                (numbers, then, onFailure) -> rounds.whenDecided(numbers, lookups, then, onFailure));
    }

    /** See requests before pipelines run, and answers after them. */
    public List<ActionFilter> filters() {
        return List.of(
                new BulkFilter(() -> used, () -> scopes(List.of()), this::threadContext, memory, this::answered),
                new Simulations(this::threadContext));
    }

    /** An item's index may be an alias if the item failed. */
    private void answered(BulkAnswer answer, List<ItemAnswer> items) {
        LookupScopes scopes = scopes(List.of());
        List<ItemAnswer> named = items.stream()
                .map(item -> item.version() == null
                        ? new ItemAnswer(scopes.indexOrName(item.index()), item.id(), null)
                        : item)
                .toList();
        knowledge.window().answered(answer, named);
    }

    /** @param indices to compare with; empty for each document's own */
    LookupScopes scopes(List<String> indices) {
        return new LookupScopes(
                cluster().service().state(), cluster().resolver(), cluster().archives(), indices);
    }

    ThreadContext threadContext() {
        return lookups.threadContext();
    }

    /** A processor was built, maybe only for a trial. */
    void use() {
        used = true;
    }

    boolean isStarted() {
        return lookups != null;
    }

    public Counters<DuplicateCount> counts() {
        return counts;
    }

    public Durations times() {
        return times;
    }

    public WindowState window() {
        return knowledge.window().state();
    }

    NearDuplicateSettings settings() {
        return settings;
    }

    SearchedIndices.Cluster cluster() {
        return cluster.get();
    }

    RoundServices roundServices() {
        return new RoundServices(
                knowledge, lookups, rounds, peers, settings::peerOptions, memory, counts, times, spans, presence);
    }

    private void tidy() {
        knowledge.window().expire();
        knowledge.texts().forgetBefore(knowledge.window().first());
    }
}
