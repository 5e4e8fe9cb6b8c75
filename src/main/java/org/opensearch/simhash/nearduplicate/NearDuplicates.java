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
import org.opensearch.action.ActionRunnable;
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
    private final SimHashQueries queries;
    private final ArrivalWindow window;
    private final RecentTexts texts;
    private final TreeMap<Long, Round> undecided = new TreeMap<>();
    private volatile Node node;
    private volatile boolean used;

    /** What is there once the node is up. */
    private record Node(Client client, IndexLookup lookup, JointLookup jointLookup, LookupGate gate) {}

    /**
     * @param cluster what resolves names of indices, once the node is up
     */
    public NearDuplicates(SimHashQueries queries, Supplier<SearchedIndices.Cluster> cluster, FingerprintMemory memory) {
        this.queries = queries;
        this.cluster = cluster;
        this.memory = memory;
        this.window = new ArrivalWindow(
                () -> System.nanoTime() / 1_000_000,
                memory,
                () -> memory.limit() / SHARE_OF_WINDOW,
                settings.windowBounds());
        long heap = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes();
        this.texts = new RecentTexts(memory, heap / SHARE_OF_TEXTS);
    }

    /** The node is up. */
    public void start(Client client, ClusterService clusterService) {
        Settings nodeSettings = clusterService.getSettings();
        node = new Node(
                client,
                new IndexLookup(client, queries),
                new JointLookup(client, queries),
                new LookupGate(Math.max(2, OpenSearchExecutors.allocatedProcessors(nodeSettings))));
        settings.follow(clusterService.getClusterSettings(), nodeSettings, () -> window.limit(settings.windowBounds()));
        client.threadPool().scheduleWithFixedDelay(this::tidy, TIDY, ThreadPool.Names.GENERIC);
        clusterService.addListener(new DeletedIndices(window));
    }

    /** Of the node's threads. */
    public ThreadContext threadContext() {
        return client().threadPool().getThreadContext();
    }

    /** There is a processor, in use or only tried out. */
    void use() {
        used = true;
    }

    /** Whether a pipeline of this node may have such a processor. */
    boolean isUsed() {
        return used;
    }

    boolean isStarted() {
        return node != null;
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

    SimHashQueries queries() {
        return queries;
    }

    LongConsumer memory() {
        return memory;
    }

    ArrivalWindow window() {
        return window;
    }

    IndexLookup lookup() {
        return node.lookup();
    }

    RecentTexts texts() {
        return texts;
    }

    private void tidy() {
        window.expire();
        texts.forgetBefore(window.first());
    }

    JointLookup jointLookup() {
        return node.jointLookup();
    }

    LookupGate gate() {
        return node.gate();
    }

    Client client() {
        return node.client();
    }

    /** Enters the documents of a round; no other round comes between them. */
    void begin(Round round) {
        synchronized (undecided) {
            long first = window.admit(round.arrivals());
            round.numbered(first);
            undecided.put(first, round);
        }
    }

    /** All documents of a round are decided. */
    void end(Round round) {
        synchronized (undecided) {
            undecided.remove(round.firstNumber(), round);
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
                if (round != null && round.getValue().lastNumber() >= number) {
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
                ActionListener.wrap(nothing -> fork(inContext, onFailure), onFailure), rounds.size());
        rounds.forEach(
                round -> round.decided().addListener(all, OpenSearchExecutors.newDirectExecutorService(), context));
    }

    /** On a thread for writing, which must not be refused: what was looked up would be lost. */
    void fork(Runnable work, Consumer<Exception> onFailure) {
        client().threadPool()
                .executor(ThreadPool.Names.WRITE)
                .execute(new ActionRunnable<Void>(ActionListener.wrap(nothing -> {}, onFailure)) {
                    @Override
                    protected void doRun() {
                        work.run();
                    }

                    @Override
                    public boolean isForceExecution() {
                        return true;
                    }
                });
    }
}
