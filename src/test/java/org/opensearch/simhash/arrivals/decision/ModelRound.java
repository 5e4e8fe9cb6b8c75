/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.decision.Judgement.DocumentResult;
import org.opensearch.simhash.arrivals.decision.ModelShard.Operation;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.arrivals.durable.DurabilityAnswers;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.arrivals.ending.Obstacle;
import org.opensearch.simhash.arrivals.lookup.StoredDocuments;
import org.opensearch.simhash.arrivals.peers.PeerFindings;
import org.opensearch.simhash.arrivals.request.BulkOutcome;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.WindowVersion;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.ingest.PreparingRecipes;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.warnings.RequestWarnings;

/** The documents of a bulk at one processor. Takes the steps of {@code Round}, one after the other. One thread. */
final class ModelRound {

    private final DecisionModel model;
    private final ModelNode node;
    private final List<Arrival> arrivals;
    private final Batch batch;
    private final RoundKnowledge knowledge;
    private final long begun;
    private final Consumer<List<DocumentResult>> then;
    private final Map<String, Operation> proofs = new HashMap<>();
    private final Map<String, Long> firstAtGet = new HashMap<>();
    private final Map<Arrival, Map<String, Operation>> visible = new HashMap<>();
    private final Set<Long> awaited = new HashSet<>();
    /** Documents of which the window last knew a version that may be a duplicate, or may not be stored. */
    private final Set<String> unclear = new HashSet<>();

    private boolean isDisturbed;
    private int attempts;
    private Runnable next;
    /** Listens to the request under way, or null. */
    private ActionListener<?> waiting;

    /**
     * Enters the window.
     *
     * @param then gets the decisions
     */
    ModelRound(
            DecisionModel model,
            ModelNode node,
            DuplicateAction action,
            List<Arrival> arrivals,
            BulkOutcome outcome,
            long begun,
            Consumer<List<DocumentResult>> then) {
        this.model = model;
        this.node = node;
        this.arrivals = arrivals;
        this.begun = begun;
        this.then = then;
        DuplicateRule rule = new DuplicateRule(
                SketchKind.SIMHASH,
                Arrivals.FIELD,
                List.of(),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                null,
                false,
                null,
                action,
                DecisionModel.TARGET_FIELD,
                OwnWords.UNLIMITED,
                false,
                PairConditions.NONE,
                false);
        batch = new Batch(
                rule,
                Arrivals.criteria(DecisionModel.MAX_DISTANCE, null),
                model.scopes(),
                outcome,
                null,
                TimeValue.timeValueMinutes(1),
                false,
                arrivals,
                new HashMap<>(Map.of(Arrivals.INDEX, new PreparingRecipes(List.of(), List::of))));
        knowledge = new RoundKnowledge(
                node.knowledge(),
                batch,
                new PeerFindings(),
                bytes -> {},
                (arrival, stored) -> new NoTexts(node, stored, batch, arrival));
        long first = node.window().admit(arrivals);
        for (int i = 0; i < arrivals.size(); i++) {
            arrivals.get(i).numbered(first + i);
            node.entered(first + i);
            node.undecided().add(first + i);
        }
        knowledge.begin();
        next = () -> search(arrivals);
    }

    void step() {
        Runnable step = next;
        next = null;
        model.asking(this);
        step.run();
    }

    /** Stops it. */
    void close() {
        if (waiting != null) {
            waiting.onFailure(new IllegalStateException("the node is killed"));
        }
        knowledge.close();
    }

    private void search(List<Arrival> some) {
        for (Arrival arrival : some) {
            visible.put(arrival, model.shard().visible());
            if (model.happens(DecisionModel.FAILURE)) {
                arrival.failed(new IllegalStateException("the search failed"));
            } else {
                arrival.foundInIndex(hits(arrival), Set.of());
            }
        }
        next = this::settle;
    }

    private List<Original> hits(Arrival arrival) {
        List<Original> matches = new ArrayList<>();
        for (Operation hit : model.shard().visible().values()) {
            if (DecisionModel.isNear(hit.content(), arrival)) {
                int distance = DecisionModel.distance(hit.content(), arrival);
                matches.add(new Original(DecisionModel.name(hit.id()), distance, Double.NaN, hit.version(), -1));
            }
        }
        Original last = arrival.last();
        return matches.stream()
                .filter(match -> last == null
                        || match.distance() > last.distance()
                        || (match.distance() == last.distance()
                                && match.version().seqNo() >= last.version().seqNo()))
                .sorted(Comparator.comparingInt(Original::distance)
                        .thenComparingLong(match -> match.version().seqNo()))
                .limit(arrival.wanted())
                .toList();
    }

    private void settle() {
        if (node.undecided().stream().anyMatch(awaited::contains)) {
            next = this::settle;
            return;
        }
        knowledge.take();
        noteUnclear();
        awaited.clear();
        awaited.addAll(knowledge.undecided());
        if (awaited.isEmpty() == false) {
            next = this::settle;
        } else if (knowledge.want()) {
            knowledge.get(model.lookups(), () -> next = this::settle);
        } else if (knowledge.lookFurther()) {
            next = this::settle;
        } else if (searchesFurther() == false) {
            next = this::prove;
        }
    }

    /** Their versions may leave the window before the decision, which knows of them. */
    private void noteUnclear() {
        for (Operation stored : model.shard().stored()) {
            List<WindowVersion> versions = node.versions(stored.id());
            if (versions.isEmpty() == false && versions.stream().allMatch(ModelNode::isPlain)) {
                unclear.remove(stored.id());
            } else if (versions.isEmpty() == false) {
                unclear.add(stored.id());
            }
        }
    }

    private boolean searchesFurther() {
        List<Arrival> usedUp = knowledge.usedUp();
        next = () -> search(usedUp);
        return usedUp.isEmpty() == false;
    }

    private void prove() {
        List<DocumentName> unproven = knowledge.unproven();
        proofs.clear();
        if (unproven.isEmpty()) {
            next = this::carryOut;
        } else {
            knowledge.prove(model.lookups(), unproven, () -> next = this::conclude);
        }
    }

    private void conclude() {
        if (attempts++ < 3 && knowledge.forgetChanged()) {
            next = this::settle;
            return;
        }
        knowledge.conclude();
        if (knowledge.lookFurther()) {
            next = this::settle;
        } else if (searchesFurther() == false) {
            next = this::carryOut;
        }
    }

    private void carryOut() {
        knowledge.verdicts().all().forEach(this::check);
        List<DocumentResult> decisions = new Judgement(
                        node.knowledge(), batch, new Counters<>(DuplicateCount.class), new RequestWarnings())
                .carryOut(knowledge);
        arrivals.forEach(arrival -> node.undecided().remove(arrival.number()));
        knowledge.close();
        then.accept(decisions);
    }

    private void check(Verdicts.Judged judged) {
        Arrival arrival = judged.sought().arrival;
        if (arrival.failure() != null) {
            return;
        }
        if (judged.verdict().needsProof()) {
            String original = judged.verdict().standing().original().name().id();
            long first = firstAtGet.getOrDefault(arrival.name().id(), Long.MAX_VALUE);
            model.ended(arrival, begun, node, first, proofs.get(original));
        } else if (judged.verdict().action() == null && isDisturbed == false) {
            model.kept(arrival, begun, node, visible.get(arrival), unclear);
        }
    }

    /** Takes a request. It reaches the shard in one step, and its answer returns in another. */
    void get(MultiGetRequest request, ActionListener<MultiGetResponse> listener) {
        waiting = listener;
        next = () -> {
            List<MultiGetItemResponse> items = new ArrayList<>();
            for (MultiGetRequest.Item item : request.getItems()) {
                boolean fails = model.happens(DecisionModel.FAILURE);
                isDisturbed |= fails;
                items.add(
                        fails
                                ? new MultiGetItemResponse(
                                        null,
                                        new MultiGetResponse.Failure(
                                                item.index(), item.id(), new IllegalStateException("the get failed")))
                                : new MultiGetItemResponse(new GetResponse(model.got(item.id())), null));
            }
            MultiGetResponse response = new MultiGetResponse(items.toArray(MultiGetItemResponse[]::new));
            next = () -> {
                waiting = null;
                listener.onResponse(response);
            };
        };
        // The window was asked, and the request is not sent yet.
        request.getItems().forEach(item -> firstAtGet.putIfAbsent(item.id(), node.first()));
    }

    void prove(DurabilityAction.Request request, ActionListener<DurabilityAction.Response> listener) {
        waiting = listener;
        next = () -> {
            List<Durability> answers = new ArrayList<>();
            request.versions().forEach(version -> {
                boolean fails = model.happens(DecisionModel.FAILURE);
                answers.add(fails ? Durability.UNKNOWN : model.shard().durability(version, model.isAsync()));
                proofs.put(version.id(), model.shard().stored(version.id()));
            });
            DurabilityAction.Response response = DurabilityAnswers.of(answers);
            next = () -> {
                waiting = null;
                listener.onResponse(response);
            };
        };
    }

    /** The model's documents are fingerprints without texts. */
    private static final class NoTexts extends EndingCheck {

        NoTexts(ModelNode node, StoredDocuments stored, Batch batch, Arrival arrival) {
            super(node.knowledge(), stored, batch, arrival, bytes -> {});
        }

        @Override
        Set<String> fields() {
            return Set.of();
        }

        @Override
        Obstacle obstacle(DocumentName original) {
            return null;
        }
    }
}
