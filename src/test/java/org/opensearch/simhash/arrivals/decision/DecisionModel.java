/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.opensearch.Version;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.get.GetResult;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.decision.ModelBulk.Item;
import org.opensearch.simhash.arrivals.decision.ModelShard.Content;
import org.opensearch.simhash.arrivals.decision.ModelShard.Operation;
import org.opensearch.simhash.arrivals.decision.ModelShard.Writer;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.arrivals.lookup.NodeLookups;
import org.opensearch.simhash.arrivals.lookup.NodeLookups.LookupGate;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.WindowVersion;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.test.client.NoOpClient;
import org.opensearch.threadpool.Scheduler.ScheduledCancellable;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

/**
 * A model of a cluster. Two nodes take bulks for one shard, and others write to it, too. Anything may come between:
 * refreshes, kills of a node or the shard, a recreated index, refusals, failures. Windows, snapshots and decisions are
 * the real ones. Asserts the promises at each decision. One thread.
 */
final class DecisionModel implements AutoCloseable {

    static final int MAX_DISTANCE = 2;
    static final int WINDOW_TIME = 60;
    static final String TARGET_FIELD = "near_duplicate";

    /** One in this number. */
    static final int REFUSAL = 8;

    /** One in this number. */
    static final int FAILURE = 40;

    /** Some are near each other. */
    private static final long[] PRINTS = {0, 0b11, 0b1111, ~0L};

    private static final int MOST_BULKS = 5;

    /**
     * A document that ended for an original.
     *
     * @param first number of the window at the get of the document's own id
     */
    private record Ended(String id, long begun, ModelNode node, long first) {}

    private static final ScheduledCancellable NEVER = new ScheduledCancellable() {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }

        @Override
        public boolean cancel() {
            return true;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    };

    private final TestThreadPool threadPool;
    private final NoOpClient client;
    private final NodeLookups lookups;
    private ModelShard shard;
    private final List<ModelWindow> windows = List.of(new ModelWindow(), new ModelWindow());
    private final List<ModelNode> nodes = new ArrayList<>();
    private final List<ModelBulk> open = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<Operation> unsynced = new ArrayList<>();
    private final List<Operation> ofOthers = new ArrayList<>();
    private final Map<String, LookupScopes> allScopes = new HashMap<>();
    /** By node and id: the end of the last bulk that named the document. */
    private final Map<List<Object>, Long> namedUntil = new HashMap<>();

    private final List<Ended> ended = new ArrayList<>();
    private Random random;
    private List<String> ids;
    private ArrivalWindow.Bounds bounds;
    private boolean isAsync;
    private boolean isCalm;
    private LookupScopes scopes;
    private ModelRound asking;
    private long now;
    private int endedInAll;

    DecisionModel(String name) {
        threadPool = new TestThreadPool(name) {
            @Override
            public ScheduledCancellable schedule(Runnable command, TimeValue delay, String executor) {
                return NEVER; // A model has no timeouts: the number of steps is not limited.
            }
        };
        client = new NoOpClient(threadPool) {
            @Override
            @SuppressWarnings("unchecked") // each action has a response of its own
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                if (request instanceof MultiGetRequest gets) {
                    asking.get(gets, (ActionListener<MultiGetResponse>) listener);
                } else {
                    asking.prove(
                            (DurabilityAction.Request) request, (ActionListener<DurabilityAction.Response>) listener);
                }
            }
        };
        TimeValue timeout = TimeValue.timeValueHours(1);
        lookups = new NodeLookups(client, null, new LookupGate(1), () -> timeout, () -> timeout);
    }

    @Override
    public void close() {
        client.close();
        ThreadPool.terminate(threadPool, 10, TimeUnit.SECONDS);
    }

    static DocumentName name(String id) {
        return new DocumentName(Arrivals.INDEX, id, null);
    }

    static int distance(Content content, Arrival arrival) {
        return Long.bitCount(content.print() ^ Arrivals.bits(arrival));
    }

    static boolean isNear(Content content, Arrival arrival) {
        return content != null && content.print() != null && distance(content, arrival) <= MAX_DISTANCE;
    }

    static Map<String, Object> source(Content content) {
        Map<String, Object> source = new HashMap<>();
        if (content.print() != null) {
            long bits = content.print();
            Fingerprint print = new Fingerprint(OptionalLong.of(bits), Arrivals.digest(bits), 9, Arrivals.SCHEME);
            source.put(Arrivals.FIELD, FingerprintFields.of(print, new SegmentLayout(4)));
        }
        if (content.tag() != null) {
            source.put(TARGET_FIELD, content.tag());
        }
        return source;
    }

    /** The tag in a document, or null. */
    @SuppressWarnings("unchecked") // as DuplicateTag writes it
    static Map<String, Object> tag(Arrival arrival) {
        return arrival.document().hasField(TARGET_FIELD)
                ? arrival.document().getFieldValue(TARGET_FIELD, Map.class)
                : null;
    }

    ModelShard shard() {
        return shard;
    }

    NodeLookups lookups() {
        return lookups;
    }

    LookupScopes scopes() {
        return scopes;
    }

    /** Whether writes are answered before they are on disk. */
    boolean isAsync() {
        return isAsync;
    }

    void asking(ModelRound round) {
        asking = round;
    }

    boolean happens(int oneIn) {
        return isCalm == false && random.nextInt(oneIn) == 0;
    }

    void later(Runnable step) {
        later.add(step);
    }

    Operation write(String id, Content content, Writer writer) {
        for (Ended document : ended) {
            boolean isOlder = document.id().equals(id)
                    && document.node() == writer.node()
                    && writer.begun() < document.begun()
                    && writer.number() >= document.first();
            assertFalse(document + " leaves an older text under its id: " + content + " of " + writer, isOlder);
        }
        Operation operation = shard.apply(id, content, writer, now);
        unsynced.add(operation);
        return operation;
    }

    void answered(Operation operation) {
        shard.answered(operation, now);
    }

    GetResult got(String id) {
        Operation stored = shard.stored(id);
        if (stored == null) {
            return new GetResult(Arrivals.INDEX, id, -2, 0, -1, false, null, Map.of(), Map.of());
        }
        try (var json = JsonXContent.contentBuilder().map(source(stored.content()))) {
            return new GetResult(
                    Arrivals.INDEX,
                    id,
                    stored.version().seqNo(),
                    stored.version().primaryTerm(),
                    1,
                    true,
                    BytesReference.bytes(json),
                    Map.of(),
                    Map.of());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Asserts that the original is stored, near and on disk, and that no version of the ended document is stored. */
    void ended(Arrival arrival, long begun, ModelNode node, long first, Operation proof) {
        String id = arrival.name().id();
        String document = "[" + id + "] of " + begun + " that ends for " + proof;
        assertNotNull(document, proof);
        assertTrue(document + ", which is not near", isNear(proof.content(), arrival));
        assertTrue(
                document + ", which may be lost by a crash",
                proof.uuid().equals(shard.uuid()) == false || shard.isSynced(proof));
        assertFalse(document + " was stored all the time", shard.isStoredSince(id, begun));
        ended.add(new Ended(id, begun, node, first));
        endedInAll++;
    }

    /**
     * Asserts that no near document is missed that is known for certain and is no duplicate.
     *
     * @param unclear documents of which the round last saw a version that was not plain
     */
    void kept(Arrival arrival, long begun, ModelNode node, Map<String, Operation> visible, Set<String> unclear) {
        for (Operation original : shard.stored()) {
            List<WindowVersion> versions = node.versions(original.id());
            boolean isClear = versions.isEmpty()
                    ? unclear.contains(original.id()) == false
                    : versions.stream().allMatch(ModelNode::isPlain);
            boolean isPlain = original.id().equals(arrival.name().id()) == false
                    && original.content().tag() == null
                    && isNear(original.content(), arrival)
                    && shard.isAnsweredBefore(original, begun)
                    && shard.isCurrentSince(original, begun)
                    && isClear
                    && isNamedSince(node, original.id(), begun) == false;
            boolean isInWindow =
                    original.writer().node() == node && original.writer().number() >= node.first();
            boolean isFound = original.equals(visible.get(original.id()));
            assertFalse(
                    "[" + arrival.name().id() + "] of " + begun + " misses " + original,
                    isPlain && (isInWindow || isFound));
        }
    }

    /** Whether a bulk of a node may have changed a document after a time. */
    private boolean isNamedSince(ModelNode node, String id, long time) {
        return namedUntil.getOrDefault(List.of(node, id), -1L) >= time
                || open.stream()
                        .anyMatch(bulk -> bulk.node() == node && bulk.ids().contains(id));
    }

    /** Ended documents in all runs. */
    int endedInAll() {
        return endedInAll;
    }

    void run(long seed, int steps) {
        begin(new Random(seed));
        for (int step = 0; step < steps; step++) {
            tick();
            step();
        }
        while (open.isEmpty() == false) {
            tick();
            stepOf(open.get(random.nextInt(open.size())));
        }
    }

    /** Only what is asked for happens. */
    void calm() {
        begin(new Random(0));
        isCalm = true;
        isAsync = false;
        bounds = new ArrivalWindow.Bounds(WINDOW_TIME, 100);
        nodes.clear();
        windows.forEach(window -> nodes.add(new ModelNode(window.emptied(bounds))));
        remade();
    }

    /** Time passes, and old entries leave the windows. */
    void pass(int ticks) {
        for (int i = 0; i < ticks; i++) {
            tick();
        }
        nodes.forEach(node -> node.window().expire());
    }

    /** The first node takes a bulk. */
    ModelBulk take(DuplicateAction action, Item item) {
        return new ModelBulk(this, nodes.getFirst(), List.of(item), List.of(action), false, now);
    }

    private void tick() {
        now++;
        windows.forEach(ModelWindow::tick);
    }

    private void begin(Random newRandom) {
        random = newRandom;
        isCalm = false;
        now = 0;
        open.clear();
        ofOthers.clear();
        namedUntil.clear();
        later.clear();
        unsynced.clear();
        ended.clear();
        nodes.clear();
        isAsync = random.nextInt(4) == 0;
        ids = IntStream.range(0, 3 + random.nextInt(8))
                .mapToObj(i -> "" + (char) ('a' + i))
                .toList();
        bounds = new ArrivalWindow.Bounds(30 + random.nextInt(200), 4 + random.nextInt(100));
        windows.forEach(window -> nodes.add(new ModelNode(window.emptied(bounds))));
        shard = new ModelShard();
        remade();
    }

    private void step() {
        switch (random.nextInt(40)) {
            case 0, 1 -> shard.refresh();
            case 2, 3 -> others(null);
            case 4, 5, 6 -> others(new Content(print(), null));
            case 7, 8, 9 -> syncSome();
            case 10 -> nodes.forEach(node -> node.window().expire());
            case 11 -> run(later);
            case 12 -> {
                if (random.nextInt(4) == 0) {
                    kill();
                }
            }
            case 13, 14, 15, 16, 17, 18, 19, 20 -> {
                if (open.size() < MOST_BULKS) {
                    take();
                }
            }
            default -> {
                if (open.isEmpty() == false) {
                    stepOf(open.get(random.nextInt(open.size())));
                }
            }
        }
    }

    private void stepOf(ModelBulk bulk) {
        bulk.step();
        if (bulk.isDone()) {
            open.remove(bulk);
            bulk.ids().forEach(id -> namedUntil.put(List.of(bulk.node(), id), now));
        }
    }

    private String id() {
        return ids.get(random.nextInt(ids.size()));
    }

    private long print() {
        return PRINTS[random.nextInt(PRINTS.length)];
    }

    /** Writes without a pipeline. */
    private void others(Content content) {
        Operation operation = write(id(), content, new Writer(null, -1, now));
        if (isAsync) {
            answered(operation);
        } else {
            ofOthers.add(operation);
        }
    }

    private void syncSome() {
        if (unsynced.isEmpty() == false) {
            Operation operation = unsynced.remove(random.nextInt(unsynced.size()));
            if (shard.holds(operation)) {
                shard.sync(operation);
                if (ofOthers.remove(operation)) {
                    answered(operation);
                }
            }
        }
    }

    private void run(List<Runnable> steps) {
        if (steps.isEmpty() == false) {
            steps.remove(random.nextInt(steps.size())).run();
        }
    }

    private void kill() {
        switch (random.nextInt(5)) {
            case 0 -> kill(0);
            case 1 -> kill(1);
            case 2 -> shard.crash(random, now);
            case 3 -> {
                kill(0);
                kill(1);
                shard.crash(random, now);
            }
            default -> {
                shard.remake();
                remade();
            }
        }
    }

    private void kill(int place) {
        ModelNode killed = nodes.get(place);
        open.stream().filter(bulk -> bulk.node() == killed).forEach(ModelBulk::close);
        open.removeIf(bulk -> bulk.node() == killed);
        nodes.set(place, new ModelNode(windows.get(place).emptied(bounds)));
    }

    private void remade() {
        ended.clear();
        unsynced.clear();
        ofOthers.clear();
        scopes = allScopes.computeIfAbsent(shard.uuid() + isAsync, any -> scopes(shard.uuid(), isAsync));
        nodes.forEach(node -> node.forget(Arrivals.INDEX));
    }

    private static LookupScopes scopes(String uuid, boolean isAsync) {
        IndexMetadata index = IndexMetadata.builder(Arrivals.INDEX)
                .settings(Settings.builder()
                        .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
                        .put(IndexMetadata.SETTING_INDEX_UUID, uuid)
                        .put(IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.getKey(), isAsync ? "async" : "request"))
                .numberOfShards(1)
                .numberOfReplicas(0)
                .build();
        ClusterState state = ClusterState.builder(ClusterName.DEFAULT)
                .metadata(Metadata.builder().put(index, false))
                .build();
        return new LookupScopes(
                state, new IndexNameExpressionResolver(new ThreadContext(Settings.EMPTY)), new Archives(), List.of());
    }

    private void take() {
        List<Item> items = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            items.add(item());
        }
        List<DuplicateAction> actions = new ArrayList<>();
        for (int i = random.nextInt(4) == 0 ? 2 : 1; i > 0; i--) {
            DuplicateAction[] all = DuplicateAction.values();
            actions.add(random.nextBoolean() ? DuplicateAction.DROP : all[random.nextInt(all.length)]);
        }
        ModelNode node = nodes.get(random.nextInt(nodes.size()));
        open.add(new ModelBulk(this, node, items, actions, random.nextInt(4) == 0, now));
    }

    private Item item() {
        List<Operation> stored = shard.stored();
        if (stored.isEmpty() == false && random.nextInt(8) == 0) {
            Operation rewritten = stored.get(random.nextInt(stored.size()));
            return new Item(OpType.INDEX, rewritten.id(), rewritten.content().print());
        }
        Long print = random.nextInt(10) == 0 ? null : print();
        return switch (random.nextInt(10)) {
            case 0 -> new Item(OpType.DELETE, id(), null);
            case 1 -> new Item(OpType.UPDATE, id(), print);
            case 2, 3 -> new Item(OpType.CREATE, id(), print);
            default -> new Item(OpType.INDEX, id(), print);
        };
    }
}
