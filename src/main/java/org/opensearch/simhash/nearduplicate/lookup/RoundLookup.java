/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.lookup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Criteria;
import org.opensearch.simhash.nearduplicate.scope.LookupScope;
import org.opensearch.simhash.nearduplicate.scope.LookupScope.Search;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;
import org.opensearch.simhash.nearduplicate.scope.PairFields;

/**
 * Searches the index for a round's documents, some hundreds at a time. Notes matches or failures in each. No thread
 * waits. The steps run one after the other, each on one thread.
 */
public final class RoundLookup {

    /** The limit bounds the memory of a larger bulk. */
    private static final int LOOKUPS_AT_ONCE = 512;

    /**
     * One request.
     *
     * @param joint whether one search serves all documents
     */
    private record Work(Search search, List<Arrival> arrivals, boolean joint) {}

    private final NodeLookups lookups;
    private final Criteria criteria;
    private final PairFields pairFields;
    private final Runnable then;
    private final Consumer<Exception> failed;
    private final Supplier<LookupScopes> scopes;
    private final List<Arrival> searched = new ArrayList<>();
    private final Queue<Work> work = new ArrayDeque<>();
    private boolean inGate;
    private boolean isSecond;

    /**
     * @param pairFields of the criteria's conditions
     * @param scopes in the current cluster state
     * @param then runs when all is noted
     * @param failed gets an unexpected error instead
     */
    public RoundLookup(
            NodeLookups lookups,
            Criteria criteria,
            PairFields pairFields,
            Supplier<LookupScopes> scopes,
            Runnable then,
            Consumer<Exception> failed) {
        this.lookups = lookups;
        this.criteria = criteria;
        this.pairFields = pairFields;
        this.scopes = scopes;
        this.then = then;
        this.failed = failed;
    }

    /** Searches in the gate's turn. May be called again after the end. */
    public void start(List<Arrival> searchable) {
        isSecond = false;
        searched.clear();
        searched.addAll(searchable);
        divide(searchable);
        lookups.gate().enter(lookups.threadContext().preserveContext(this::enterGate));
    }

    /** Documents of one request have one scope. */
    private void divide(List<Arrival> searchable) {
        Map<LookupScope, List<Arrival>> byScope = new HashMap<>();
        for (Arrival arrival : searchable) {
            byScope.computeIfAbsent(arrival.scope(), any -> new ArrayList<>()).add(arrival);
        }
        byScope.forEach((scope, same) -> {
            // A joint search finds the nearest matches before an alias' filter applies.
            boolean joint =
                    (criteria.verification() == null || criteria.verification().field() == null)
                            && scope.filters().isEmpty()
                            && JointLookup.most(scope) > 1
                            && same.stream().allMatch(Arrival::isLookedUpFirst);
            int atOnce = joint ? Math.min(LOOKUPS_AT_ONCE, JointLookup.most(scope)) : LOOKUPS_AT_ONCE;
            for (int from = 0; from < same.size(); from += atOnce) {
                List<Arrival> some = same.subList(from, Math.min(from + atOnce, same.size()));
                scope.searches().forEach(search -> work.add(new Work(search, some, joint && some.size() > 1)));
            }
        });
    }

    /** Runs on the thread that left the gate, so errors must not escape. */
    private void enterGate() {
        inGate = true;
        try {
            lookUp();
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    /** Leaves the gate. Must be called in any case. */
    public void end() {
        if (inGate) {
            inGate = false;
            lookups.gate().leave();
        }
    }

    private void lookUp() {
        Work next = work.poll();
        if (next == null && isSecond == false && searched.stream().anyMatch(arrival -> arrival.failure() != null)) {
            lookUpAgain();
        } else if (next == null) {
            end();
            then.run();
        } else if (next.joint()) {
            this.<SearchResponse>send(
                    next,
                    listener ->
                            JointLookup.send(lookups, next.search(), next.arrivals(), criteria, pairFields, listener),
                    answer -> {
                        if (JointLookup.note(next.arrivals(), answer, criteria, pairFields) == false) {
                            work.add(new Work(next.search(), next.arrivals(), false));
                        }
                    });
        } else {
            this.<MultiSearchResponse>send(
                    next,
                    listener ->
                            IndexLookup.send(lookups, next.search(), next.arrivals(), criteria, pairFields, listener),
                    answer -> IndexLookup.note(next.search(), next.arrivals(), answer, criteria, pairFields));
        }
    }

    /** A rollover may have added shards that are not started. Searches again where the scope changed. */
    private void lookUpAgain() {
        isSecond = true;
        LookupScopes now = scopes.get();
        List<Arrival> changed = new ArrayList<>();
        for (Arrival arrival : searched) {
            LookupScope scope = arrival.failure() == null
                    ? arrival.scope()
                    : now.renewed(arrival.scope(), arrival.name().index());
            if (scope.searches().equals(arrival.scope().searches()) == false) {
                arrival.lookUpAgain(scope);
                changed.add(arrival);
            }
        }
        divide(changed);
        lookUp();
    }

    /** Sends a request, handles its answer or failure on a write thread, and continues. */
    private <A> void send(Work sent, Consumer<ActionListener<A>> request, Consumer<A> onAnswer) {
        ActionListener<A> listener = ActionListener.wrap(
                answer -> lookups.fork(
                        () -> {
                            onAnswer.accept(answer);
                            lookUp();
                        },
                        failed),
                e -> lookups.fork(
                        () -> {
                            IndexLookup.noteFailure(sent.search(), sent.arrivals(), e);
                            lookUp();
                        },
                        failed));
        lookups.send(listener, request);
    }
}
