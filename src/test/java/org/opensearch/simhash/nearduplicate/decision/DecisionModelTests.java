/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.After;
import org.junit.Before;
import org.opensearch.Version;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.index.IndexRequest;
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
import org.opensearch.index.get.GetResult;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.durable.Durability;
import org.opensearch.simhash.durable.DurabilityAction;
import org.opensearch.simhash.durable.DurabilityAnswers;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Arrivals;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.arrival.Criteria;
import org.opensearch.simhash.nearduplicate.arrival.ItemAnswer;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.lookup.LookupGate;
import org.opensearch.simhash.nearduplicate.lookup.NodeLookups;
import org.opensearch.simhash.nearduplicate.request.BulkOutcome;
import org.opensearch.simhash.nearduplicate.request.Requests;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;
import org.opensearch.simhash.nearduplicate.window.ArrivalWindow;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.client.NoOpClient;

/**
 * The two promises, on a model of a shard: steps of several bulks, of writes by other nodes, deletes, refreshes and a crash come in
 * any order. The window, the snapshots and the decisions are the real ones.
 */
public class DecisionModelTests extends OpenSearchTestCase {

    private static final int RUNS = 3_000;
    private static final int STEPS = 90;
    private static final int WINDOW_TIME = 60;
    private static final int MAX_DISTANCE = 2;
    private static final List<String> IDS = List.of("a", "b", "c", "d");
    /** Some near one another, some not. */
    private static final long[] TEXTS = {0, 0b11, 0b1111, ~0L};

    /** What the shard did. */
    private record Operation(String id, long seqNo, Long text, long begun) {}

    /** A shard that loses what is not on disk when it crashes. */
    private static final class Shard {

        private final TreeMap<Long, Operation> log = new TreeMap<>();
        private final Set<Long> synced = new HashSet<>();
        private final Map<String, Operation> current = new HashMap<>();
        private Map<String, Operation> refreshed = Map.of();

        Operation apply(String id, Long text, long begun) {
            Operation operation = new Operation(id, log.size(), text, begun);
            log.put(operation.seqNo(), operation);
            current.put(id, operation);
            return operation;
        }

        Operation stored(String id) {
            Operation operation = current.get(id);
            return operation == null || operation.text() == null ? null : operation;
        }

        /** As the checkpoint of a shard has it: writes that were answered may be above it. */
        boolean isDurable(long seqNo) {
            return log.headMap(seqNo, true).keySet().stream().allMatch(synced::contains);
        }

        void refresh() {
            refreshed = Map.copyOf(current);
        }
    }

    /** A bulk on its way: one step after the other. */
    private final class Bulk {

        private final BulkAnswer answer = new BulkAnswer();
        private final List<Arrival> arrivals = new ArrayList<>();
        private final long begun = now;
        private final Batch batch;
        private final RoundKnowledge knowledge;
        private List<Long> awaited = List.of();
        private List<Arrival> searched;
        private boolean isProven;
        private int attempts;
        private final Map<String, Operation> provenBy = new HashMap<>();
        private List<Decision> decisions;
        private final List<Operation> written = new ArrayList<>();
        private final List<ItemAnswer> answers = new ArrayList<>();
        private int applied;
        private int syncedCount;

        Bulk(DuplicateAction action, Map<String, Long> documents) {
            BulkRequest request = new BulkRequest();
            documents.forEach((id, text) -> {
                arrivals.add(Arrivals.by(Arrivals.FIELD, id, text, answer));
                request.add(new IndexRequest(Arrivals.INDEX).id(id).source(source(text)));
            });
            BulkOutcome outcome = new BulkOutcome(Requests.changes(request), scopes, arrivals);
            DuplicateRule rule = new DuplicateRule(
                    Arrivals.FIELD, List.of(), OptionalInt.empty(), null, false, action, null, "near_duplicate");
            batch = new Batch(
                    rule,
                    new Criteria(Arrivals.FIELD, MAX_DISTANCE, null),
                    scopes,
                    outcome,
                    TimeValue.timeValueMinutes(1),
                    false,
                    arrivals,
                    new HashMap<>());
            knowledge = new RoundKnowledge(node, batch, bytes -> {});
            long first = window.admit(arrivals);
            for (int i = 0; i < arrivals.size(); i++) {
                arrivals.get(i).numbered(first + i);
            }
            knowledge.begin();
            searched = arrivals;
        }

        boolean isAnswered() {
            return answer.isGiven();
        }

        void step() {
            if (searched != null) {
                searched.forEach(this::search);
                searched = null;
            } else if (decisions == null && isProven) {
                conclude();
            } else if (decisions == null) {
                settle();
            } else if (applied < decisions.size()) {
                apply(arrivals.get(applied), decisions.get(applied));
                applied++;
            } else if (syncedCount < written.size()) {
                shard.synced.add(written.get(syncedCount++).seqNo());
            } else {
                window.answered(answer, answers);
                answer.give();
            }
        }

        private void search(Arrival arrival) {
            List<Original> matches = new ArrayList<>();
            for (Operation hit : shard.refreshed.values()) {
                if (hit.text() != null && isNear(hit.text(), arrival)) {
                    int distance =
                            Long.bitCount(hit.text() ^ arrival.fingerprint().bits());
                    matches.add(new Original(
                            name(hit.id()), distance, Double.NaN, new Original.Version(hit.seqNo(), 1), -1));
                }
            }
            arrival.foundInIndex(matches);
        }

        private void settle() {
            if (undecided.stream().anyMatch(awaited::contains)) {
                return;
            }
            knowledge.take();
            awaited = knowledge.undecided();
            if (awaited.isEmpty() == false) {
                return;
            }
            if (knowledge.want()) {
                knowledge.get(lookups, () -> {});
            } else if (knowledge.lookFurther() == false) {
                List<Arrival> usedUp = knowledge.usedUp();
                if (usedUp.isEmpty() == false) {
                    searched = usedUp; // As a round does, which looks further in the index.
                    return;
                }
                List<DocumentName> unproven = knowledge.unproven();
                provenBy.clear();
                unproven.forEach(name -> provenBy.put(name.id(), shard.stored(name.id())));
                if (unproven.isEmpty()) {
                    decide();
                } else {
                    knowledge.prove(lookups, unproven, () -> isProven = true);
                }
            }
        }

        private void conclude() {
            isProven = false;
            if (attempts++ < 3 && knowledge.forgetChanged()) {
                return;
            }
            knowledge.conclude();
            decide();
        }

        private void decide() {
            for (Verdicts.Judged judged : knowledge.verdicts().all()) {
                if (judged.verdict().needsProof()) {
                    String original =
                            judged.verdict().standing().original().name().id();
                    Operation proof = provenBy.get(original);
                    Arrival arrival = judged.sought().arrival();
                    assertNotNull("for " + original + ", which was not stored", proof);
                    assertTrue("near by", isNear(proof.text(), arrival));
                    ended.add(new Ended(arrival.name().id(), begun, proof));
                }
            }
            decisions = new Judgement(node, batch, new Counters<>(DuplicateCount.class)).carryOut(knowledge);
            undecided.removeAll(arrivals.stream().map(Arrival::number).toList());
            knowledge.close();
        }

        private void apply(Arrival arrival, Decision decision) {
            boolean isRefused = decision.dropped() || decision.failure() != null || shardRefuses.getAsBoolean();
            if (isRefused) {
                answers.add(new ItemAnswer(Arrivals.INDEX, arrival.name().id(), null));
                return;
            }
            Operation operation =
                    shard.apply(arrival.name().id(), arrival.fingerprint().bits(), begun);
            written.add(operation);
            answers.add(new ItemAnswer(Arrivals.INDEX, operation.id(), new Original.Version(operation.seqNo(), 1)));
        }
    }

    /** A document that was not stored because another one was. */
    private record Ended(String id, long begun, Operation proof) {}

    private final Set<Long> undecided = new HashSet<>();
    private final List<Ended> ended = new ArrayList<>();
    private LookupScopes scopes;
    private NodeLookups lookups;
    private NoOpClient client;
    private ArrivalWindow window;
    private NodeKnowledge node;
    private Shard shard;
    private Random random;
    private BooleanSupplier shardRefuses;
    private long now;

    @Before
    public void start() {
        client = new NoOpClient(getTestName()) {
            @Override
            @SuppressWarnings("unchecked") // each action has a response of its own
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                listener.onResponse(
                        request instanceof MultiGetRequest gets
                                ? (Response) got(gets)
                                : (Response) proven((DurabilityAction.Request) request));
            }
        };
        lookups = new NodeLookups(
                client,
                null,
                new LookupGate(1),
                () -> TimeValue.timeValueMinutes(1),
                () -> TimeValue.timeValueMinutes(1));
        IndexMetadata index = IndexMetadata.builder(Arrivals.INDEX)
                .settings(Settings.builder()
                        .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
                        .put(IndexMetadata.SETTING_INDEX_UUID, "uuid"))
                .numberOfShards(1)
                .numberOfReplicas(0)
                .build();
        ClusterState state = ClusterState.builder(ClusterName.DEFAULT)
                .metadata(Metadata.builder().put(index, false))
                .build();
        scopes = new LookupScopes(state, new IndexNameExpressionResolver(new ThreadContext(Settings.EMPTY)), List.of());
    }

    @After
    public void stop() {
        client.close();
    }

    private static DocumentName name(String id) {
        return new DocumentName(Arrivals.INDEX, id, null);
    }

    private static boolean isNear(long text, Arrival arrival) {
        return Long.bitCount(text ^ arrival.fingerprint().bits()) <= MAX_DISTANCE;
    }

    private static Map<String, Object> source(long text) {
        Fingerprint fingerprint = new Fingerprint(OptionalLong.of(text), Arrivals.digest(text), 9, Arrivals.SCHEME);
        return Map.of(Arrivals.FIELD, FingerprintFields.of(fingerprint, new SegmentLayout(4)));
    }

    private MultiGetResponse got(MultiGetRequest request) {
        return new MultiGetResponse(request.getItems().stream()
                .map(item -> new MultiGetItemResponse(new GetResponse(got(item.id())), null))
                .toArray(MultiGetItemResponse[]::new));
    }

    private GetResult got(String id) {
        Operation stored = shard.stored(id);
        if (stored == null) {
            return new GetResult(Arrivals.INDEX, id, -2, 0, -1, false, null, Map.of(), Map.of());
        }
        try (var json = JsonXContent.contentBuilder().map(source(stored.text()))) {
            return new GetResult(
                    Arrivals.INDEX, id, stored.seqNo(), 1, 1, true, BytesReference.bytes(json), Map.of(), Map.of());
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private DurabilityAction.Response proven(DurabilityAction.Request request) {
        return DurabilityAnswers.of(request, (id, seqNo) -> {
            Operation stored = shard.stored(id);
            if (stored == null || stored.seqNo() != seqNo) {
                return Durability.CHANGED;
            }
            return shard.isDurable(seqNo) ? Durability.DURABLE : Durability.PENDING;
        });
    }

    public void testNothingIsLostWhateverComesBetween() {
        int endedInAll = 0;
        for (int run = 0; run < RUNS; run++) {
            long seed = run == 0 ? 1133742900301248284L : randomLong();
            try {
                run(seed);
            } catch (AssertionError e) {
                throw new AssertionError("run with seed " + seed, e);
            }
            endedInAll += ended.size();
        }
        assertTrue("documents end at all: " + endedInAll, endedInAll > RUNS / 4);
    }

    /** A bulk may take longer than the window keeps what it brought. */
    public void testAnIdIsNotNewWhenItsWriteLeftTheWindowAfterTheGet() {
        begin();
        shardRefuses = () -> false;
        shard.synced.add(shard.apply("original", 0L, now).seqNo());
        shard.refresh();
        now++;
        Bulk first = begun(new Bulk(DuplicateAction.DROP, Map.of("a", ~0L)));
        now++;
        Bulk second = begun(new Bulk(DuplicateAction.DROP, Map.of("a", 0L)));
        while (first.decisions == null) {
            first.step();
        }
        second.step();
        second.step();
        assertNull("it got its own id, and is not decided", second.decisions);
        while (first.isAnswered() == false) {
            first.step();
        }
        now += WINDOW_TIME + 1;
        window.expire();
        while (second.isAnswered() == false) {
            second.step();
        }
        assertEquals(List.of(), ended);
        assertEquals(Long.valueOf(0), shard.stored("a").text());
    }

    private Bulk begun(Bulk bulk) {
        bulk.arrivals.forEach(arrival -> undecided.add(arrival.number()));
        return bulk;
    }

    private void run(long seed) {
        random = new Random(seed);
        shardRefuses = () -> random.nextInt(6) == 0;
        begin();
        List<Bulk> open = new ArrayList<>();
        List<Operation> ofOthers = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            now++;
            int kind = random.nextInt(20);
            if (kind == 0) {
                shard.refresh();
            } else if (kind == 1) {
                Operation delete = shard.apply(id(), null, now);
                shard.synced.add(delete.seqNo());
            } else if (kind == 2) {
                ofOthers.add(shard.apply(id(), text(), now));
            } else if (kind == 3 && ofOthers.isEmpty() == false) {
                shard.synced.add(ofOthers.removeFirst().seqNo());
            } else if (kind <= 6 && open.size() < 4) {
                open.add(begun(bulk()));
            } else if (open.isEmpty() == false) {
                Bulk bulk = open.get(random.nextInt(open.size()));
                bulk.step();
                if (bulk.isAnswered()) {
                    open.remove(bulk);
                }
            }
        }
        open.forEach(bulk -> bulk.knowledge.close());
        for (Ended document : ended) {
            assertTrue(
                    document + " is lost by a crash",
                    shard.synced.contains(document.proof().seqNo()));
            Operation under = shard.stored(document.id());
            assertFalse(
                    document + " left an older text under its id: " + under,
                    under != null && under.begun() < document.begun());
        }
    }

    private void begin() {
        shard = new Shard();
        now = 0;
        undecided.clear();
        ended.clear();
        ArrivalWindow.Bounds bounds = new ArrivalWindow.Bounds(WINDOW_TIME, 100);
        window = new ArrivalWindow(() -> now, bytes -> {}, () -> Long.MAX_VALUE, bounds);
        node = new NodeKnowledge(window, null, null);
    }

    private String id() {
        return IDS.get(random.nextInt(IDS.size()));
    }

    private long text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private Bulk bulk() {
        Map<String, Long> documents = new LinkedHashMap<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            documents.put(id(), text());
        }
        return new Bulk(random.nextBoolean() ? DuplicateAction.DROP : DuplicateAction.FAIL, documents);
    }
}
