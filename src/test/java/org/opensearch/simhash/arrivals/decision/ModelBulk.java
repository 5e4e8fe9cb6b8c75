/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer.ItemAnswer;
import org.opensearch.simhash.arrivals.decision.Judgement.DocumentResult;
import org.opensearch.simhash.arrivals.decision.ModelShard.Content;
import org.opensearch.simhash.arrivals.decision.ModelShard.Operation;
import org.opensearch.simhash.arrivals.decision.ModelShard.Writer;
import org.opensearch.simhash.arrivals.request.BulkChanges;
import org.opensearch.simhash.arrivals.request.BulkOutcome;
import org.opensearch.simhash.arrivals.request.Requests;
import org.opensearch.simhash.arrivals.scope.Pairing;

/**
 * A bulk on its way: through its processors, item by item to the shard, to the disk, and its answer. Anything may come
 * between its steps. One thread.
 */
final class ModelBulk {

    /**
     * An operation on a document.
     *
     * @param print null for a delete, and for a document without a fingerprint
     */
    record Item(OpType type, String id, Long print) {}

    /** An item and its result. */
    private static final class Written {

        private final Item item;
        /** Null if it is not compared. */
        private Arrival arrival;

        /** Its entry in the window for the first processor. */
        private long number = -1;

        private DocumentResult decision = DocumentResult.KEPT;
        private Operation operation;
        private boolean isRefused;

        Written(Item item) {
            this.item = item;
        }

        boolean goesOn() {
            return decision.dropped() == false && decision.failure() == null;
        }
    }

    /** Of another pipeline. */
    private static final String OTHER_FIELD = "other";

    private final DecisionModel model;
    private final ModelNode node;
    private final long begun;
    /** One for each processor. */
    private final List<DuplicateAction> actions;

    private final boolean ignoresFailure;
    private final BulkChanges changes;
    private final BulkAnswer answer = new BulkAnswer();
    private final List<Written> all = new ArrayList<>();
    private ModelRound round;
    private Runnable next;
    private boolean isCertain = true;

    ModelBulk(
            DecisionModel model,
            ModelNode node,
            List<Item> items,
            List<DuplicateAction> actions,
            boolean ignoresFailure,
            long begun) {
        this.model = model;
        this.node = node;
        this.actions = actions;
        this.ignoresFailure = ignoresFailure;
        this.begun = begun;
        BulkRequest request = new BulkRequest();
        for (Item item : items) {
            all.add(new Written(item));
            Map<String, Object> source = item.type() == OpType.DELETE ? null : DecisionModel.source(content(item));
            request.add(
                    switch (item.type()) {
                        case DELETE -> new DeleteRequest(Arrivals.INDEX, item.id());
                        case UPDATE ->
                            new UpdateRequest(Arrivals.INDEX, item.id())
                                    .doc(Map.of("views", 1))
                                    .upsert(source);
                        case INDEX, CREATE ->
                            new IndexRequest(Arrivals.INDEX)
                                    .id(item.id())
                                    .source(source)
                                    .opType(item.type());
                    });
        }
        changes = Requests.changes(request);
        process(0);
    }

    private static Content content(Item item) {
        return new Content(item.print(), null);
    }

    boolean isDone() {
        return round == null && next == null;
    }

    ModelNode node() {
        return node;
    }

    Set<String> ids() {
        return all.stream().map(written -> written.item.id()).collect(Collectors.toSet());
    }

    boolean isDecided() {
        return round == null;
    }

    void step() {
        if (round == null) {
            Runnable step = next;
            next = null;
            step.run();
        } else {
            round.step();
        }
    }

    /** The node was killed. */
    void close() {
        if (round != null) {
            round.close();
        }
    }

    private void process(int processor) {
        round = null;
        if (processor == actions.size()) {
            next = () -> write(0);
            return;
        }
        List<Arrival> arrivals = new ArrayList<>();
        List<Written> arrived = new ArrayList<>();
        for (Written written : all) {
            if (written.item.type() != OpType.DELETE && written.goesOn()) {
                arrive(written);
                if (written.arrival != null) {
                    arrivals.add(written.arrival);
                    arrived.add(written);
                }
            }
        }
        if (arrivals.isEmpty()) {
            process(processor + 1);
            return;
        }
        BulkOutcome outcome = new BulkOutcome(changes, model.scopes(), arrivals);
        round = new ModelRound(model, node, actions.get(processor), arrivals, outcome, begun, decisions -> {
            for (int i = 0; i < decisions.size(); i++) {
                boolean isIgnored = decisions.get(i).failure() != null && ignoresFailure;
                if (isIgnored && arrived.get(i).arrival.failure() == null) {
                    arrived.get(i).number = -1; // No window foresees that a refused document is indexed.
                } else if (processor == 0) {
                    arrived.get(i).number = arrived.get(i).arrival.number();
                }
                arrived.get(i).decision = isIgnored ? DocumentResult.KEPT : decisions.get(i);
            }
            process(processor + 1);
        });
    }

    private void arrive(Written written) {
        Item item = written.item;
        if (item.print() != null) {
            Arrival before = written.arrival;
            written.arrival = before == null
                    ? Arrivals.by(Arrivals.FIELD, item.id(), item.print(), answer)
                    : Arrivals.again(before);
            return;
        }
        boolean isOfOther = item.id().length() == 1 && item.id().charAt(0) % 2 == 1;
        ArrivedFingerprint none = ArrivedFingerprint.none(isOfOther ? OTHER_FIELD : Arrivals.FIELD);
        Arrival unknown =
                new Arrival(null, none, DecisionModel.name(item.id()), true, null, answer, null, Pairing.NONE);
        if (item.type() != OpType.CREATE
                || all.stream()
                                .filter(other -> other.item.id().equals(item.id()))
                                .count()
                        > 1) {
            node.window().admit(unknown, changes.updates(unknown.name(), model.scopes()) == false);
        }
    }

    private void write(int place) {
        if (place == all.size()) {
            next = () -> sync(0);
            return;
        }
        Written written = all.get(place);
        if (written.goesOn() == false || model.happens(DecisionModel.REFUSAL)) {
            written.isRefused = true;
        } else if (model.happens(DecisionModel.FAILURE)) {
            isCertain = false; // After the timeout it may still be stored.
            model.later(() -> apply(written));
        } else {
            written.operation = apply(written);
            written.isRefused = written.operation == null;
        }
        next = () -> write(place + 1);
    }

    /** Null if nothing is written to this shard. */
    private Operation apply(Written written) {
        Item item = written.item;
        Operation before = model.shard().stored(item.id());
        if (item.type() == OpType.CREATE && before != null) {
            return null;
        }
        if (item.type() == OpType.DELETE) {
            return model.write(item.id(), null, new Writer(null, -1, begun));
        }
        if (item.type() == OpType.UPDATE && before != null) {
            return model.write(item.id(), before.content(), new Writer(null, -1, begun));
        }
        Content content =
                new Content(item.print(), written.arrival == null ? null : DecisionModel.tag(written.arrival));
        return model.write(item.id(), content, new Writer(node, written.number, begun));
    }

    private void sync(int place) {
        if (place == all.size() || model.isAsync()) {
            next = this::answer;
            return;
        }
        Operation operation = all.get(place).operation;
        if (operation != null && model.shard().holds(operation)) {
            model.shard().sync(operation);
        }
        next = () -> sync(place + 1);
    }

    private void answer() {
        List<ItemAnswer> answers = new ArrayList<>();
        Map<String, Operation> told = new HashMap<>();
        for (Written written : all) {
            Operation operation = written.operation;
            boolean isLost = operation != null
                    && model.isAsync() == false
                    && model.shard().isSynced(operation) == false;
            String id = written.item.id();
            if (written.isRefused) {
                answers.add(new ItemAnswer(Arrivals.INDEX, id, null));
            } else if (isLost) {
                isCertain = false;
            } else if (operation != null) {
                told.put(id, operation);
                if (written.item.type() != OpType.DELETE) {
                    answers.add(new ItemAnswer(Arrivals.INDEX, id, operation.version()));
                }
            }
        }
        node.window().answered(answer, answers);
        next = () -> {
            if (isCertain) {
                answer.give();
            }
            told.values().forEach(model::answered);
        };
    }
}
