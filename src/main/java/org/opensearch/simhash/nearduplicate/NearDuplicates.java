/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.HashSet;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.monitor.jvm.JvmInfo;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.memory.FingerprintMemory;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.decision.DuplicateCount;
import org.opensearch.simhash.nearduplicate.decision.NodeKnowledge;
import org.opensearch.simhash.nearduplicate.lookup.LookupGate;
import org.opensearch.simhash.nearduplicate.lookup.NodeLookups;
import org.opensearch.simhash.nearduplicate.request.BulkAnswers;
import org.opensearch.simhash.nearduplicate.request.BulkFilter;
import org.opensearch.simhash.nearduplicate.request.Simulations;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;
import org.opensearch.simhash.nearduplicate.window.ArrivalWindow;
import org.opensearch.simhash.nearduplicate.window.DeletedIndices;
import org.opensearch.simhash.nearduplicate.window.RecentTexts;
import org.opensearch.simhash.query.SearchedIndices;
import org.opensearch.simhash.query.SimHashQueries;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * What the {@code near_duplicate} processors of a node share: the window, the way to the index, and which rounds are still
 * under way. Thread-safe.
 */
public final class NearDuplicates {

    /** Of the circuit breaker the window may take one part in so many: bulks must find room for their lookups. */
    private static final int SHARE_OF_WINDOW = 2;

    /** Texts of documents on their way may take this part of the heap. */
    private static final int SHARE_OF_TEXTS = 50;

    /** How often what is too old is let go when nothing arrives. */
    private static final TimeValue TIDY = TimeValue.timeValueSeconds(10);

    private final NearDuplicateSettings settings = new NearDuplicateSettings();
    private final Counters<DuplicateCount> counts = new Counters<>(DuplicateCount.class);
    private final FingerprintMemory memory;
    private final Supplier<SearchedIndices.Cluster> cluster;
    private final NodeKnowledge knowledge;
    private final TreeMap<Long, Round> undecided = new TreeMap<>();
    /** Null until the node is up. */
    private volatile NodeLookups lookups;

    /** Whether a pipeline of this node may have such a processor. */
    private volatile boolean used;

    /**
     * @param cluster what resolves names of indices, once the node is up
     */
    public NearDuplicates(SimHashQueries queries, Supplier<SearchedIndices.Cluster> cluster, FingerprintMemory memory) {
        this.cluster = cluster;
        this.memory = memory;
        ArrivalWindow window = new ArrivalWindow(
                () -> System.nanoTime() / 1_000_000,
                memory,
                () -> memory.limit() / SHARE_OF_WINDOW,
                settings.windowBounds());
        long heap = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes();
        this.knowledge = new NodeKnowledge(window, new RecentTexts(memory, heap / SHARE_OF_TEXTS), queries);
    }

    /** The node is up. */
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
        clusterService.addListener(new DeletedIndices(window));
    }

    /** What must see requests before pipelines run, and answers after them. */
    public List<ActionFilter> filters() {
        return List.of(
                new BulkFilter(() -> used, () -> scopes(List.of()), this::threadContext, memory, fates()),
                new Simulations(this::threadContext));
    }

    private BulkAnswers.Fates fates() {
        ArrivalWindow window = knowledge.window();
        return new BulkAnswers.Fates() {

            @Override
            public void refused(String index, String id, BulkAnswer answer) {
                window.refused(scopes(List.of()).indexOrName(index), id, answer);
            }

            @Override
            public boolean isMoved(String index, String id, BulkAnswer answer) {
                return window.isMoved(index, id, answer);
            }

            @Override
            public void moved(String index, String id, BulkAnswer answer) {
                window.moved(index, id, answer);
            }
        };
    }

    /**
     * What names mean at this moment.
     *
     * @param indices to check against; empty for each document's own
     */
    LookupScopes scopes(List<String> indices) {
        return new LookupScopes(cluster().service().state(), cluster().resolver(), indices);
    }

    /** Of the node's threads. */
    ThreadContext threadContext() {
        return lookups.threadContext();
    }

    /** There is a processor, in use or only tried out. */
    void use() {
        used = true;
    }

    boolean isStarted() {
        return lookups != null;
    }

    /** What was done so far. */
    public Counters<DuplicateCount> counts() {
        return counts;
    }

    NearDuplicateSettings settings() {
        return settings;
    }

    SearchedIndices.Cluster cluster() {
        return cluster.get();
    }

    LongConsumer memory() {
        return memory;
    }

    NodeKnowledge knowledge() {
        return knowledge;
    }

    NodeLookups lookups() {
        return lookups;
    }

    private void tidy() {
        knowledge.window().expire();
        knowledge.texts().forgetBefore(knowledge.window().first());
    }

    /** Enters the documents of a round; no other round comes between them. */
    void begin(Round round) {
        synchronized (undecided) {
            long first = knowledge.window().admit(round.batch().arrivals());
            round.batch().numbered(first);
            undecided.put(first, round);
        }
    }

    /** All documents of a round are decided. */
    void end(Round round) {
        synchronized (undecided) {
            undecided.remove(round.batch().firstNumber(), round);
        }
    }

    /**
     * Runs when all the rounds that some documents of the window belong to have decided what becomes of them; at once, on the
     * calling thread, when they have. Rounds only ever wait for earlier ones, so none waits for ever.
     *
     * @param onFailure is told what {@code then} throws on another thread, and of a node that ends
     */
    void whenDecided(List<Long> numbers, Runnable then, Consumer<Exception> onFailure) {
        Set<Round> rounds = new HashSet<>();
        synchronized (undecided) {
            for (long number : numbers) {
                Entry<Long, Round> round = undecided.floorEntry(number);
                if (round != null && round.getValue().batch().lastNumber() >= number) {
                    rounds.add(round.getValue());
                }
            }
        }
        if (rounds.isEmpty()) {
            then.run();
            return;
        }
        ThreadContext context = threadContext();
        Runnable inContext = context.preserveContext(then);
        ActionListener<Void> all = new GroupedActionListener<>(
                ActionListener.wrap(nothing -> lookups.fork(inContext, onFailure), onFailure), rounds.size());
        rounds.forEach(
                round -> round.decided().addListener(all, OpenSearchExecutors.newDirectExecutorService(), context));
    }
}
