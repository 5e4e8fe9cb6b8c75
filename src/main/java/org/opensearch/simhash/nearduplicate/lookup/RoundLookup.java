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
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Criteria;
import org.opensearch.simhash.nearduplicate.scope.LookupScope;
import org.opensearch.simhash.nearduplicate.scope.LookupScope.Search;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;
import org.opensearch.threadpool.ThreadPool;

/**
 * Looks the documents of a round up in the index, some hundreds at a time, and notes in each what was found or what failed. No
 * thread waits; the steps follow one another, each on one thread.
 */
public final class RoundLookup {

    /** Documents looked up together; a larger bulk does so several times, so that not all is in memory at once. */
    private static final int LOOKUPS_AT_ONCE = 512;

    /**
     * Documents to be looked up together.
     *
     * @param search where
     * @param joint whether by one search for all, or by one for each
     */
    private record Work(Search search, List<Arrival> arrivals, boolean joint) {}

    private final NodeLookups lookups;
    private final Criteria criteria;
    private final Runnable then;
    private final Consumer<Exception> failed;
    private final Supplier<LookupScopes> scopes;
    private final List<Arrival> searched = new ArrayList<>();
    private final Queue<Work> work = new ArrayDeque<>();
    private boolean inGate;
    private boolean isSecond;

    /**
     * Nothing looked up yet.
     *
     * @param scopes what names mean at the moment
     * @param then runs when everything is noted
     * @param failed is told when something is broken, after which nothing is
     */
    public RoundLookup(
            NodeLookups lookups,
            Criteria criteria,
            Supplier<LookupScopes> scopes,
            Runnable then,
            Consumer<Exception> failed) {
        this.lookups = lookups;
        this.criteria = criteria;
        this.scopes = scopes;
        this.then = then;
        this.failed = failed;
    }

    /** Looks documents up, when it is their turn; again when those before are done. */
    public void start(List<Arrival> searchable) {
        isSecond = false;
        searched.clear();
        searched.addAll(searchable);
        divide(searchable);
        lookups.gate().enter(lookups.threadContext().preserveContext(this::enterGate));
    }

    /** What is looked up together must be of one scope. */
    private void divide(List<Arrival> searchable) {
        Map<LookupScope, List<Arrival>> byScope = new HashMap<>();
        for (Arrival arrival : searchable) {
            byScope.computeIfAbsent(arrival.scope(), any -> new ArrayList<>()).add(arrival);
        }
        byScope.forEach((scope, same) -> {
            // The nearest of many are sought before a filter is applied.
            boolean joint = criteria.verification() == null
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

    /** Runs on the thread of whoever left the gate, which is not concerned with what goes wrong here. */
    private void enterGate() {
        inGate = true;
        try {
            lookUp();
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    /** Lets others look up, if that has not been done; to be called whatever happened. */
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
                    listener -> JointLookup.send(lookups, next.search(), next.arrivals(), criteria, listener),
                    answer -> {
                        if (JointLookup.note(next.arrivals(), answer, criteria) == false) {
                            work.add(new Work(next.search(), next.arrivals(), false));
                        }
                    });
        } else {
            this.<MultiSearchResponse>send(
                    next,
                    listener -> IndexLookup.send(lookups, next.search(), next.arrivals(), criteria, listener),
                    answer -> IndexLookup.note(next.search(), next.arrivals(), answer, criteria));
        }
    }

    /** A rollover since may have brought shards that are not started yet: where names mean something else by now, once more. */
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

    /** Sends something, handles the answer on a thread for writing, whatever it is, and goes on with the rest of the work. */
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
        // It answers once, and no more when the time is over.
        ActionListener<A> timed = listener;
        try {
            timed = ListenerTimeouts.wrapWithTimeout(
                    lookups.client().threadPool(),
                    listener,
                    lookups.timeout().get(),
                    ThreadPool.Names.SAME,
                    "near_duplicate lookup");
            request.accept(timed);
        } catch (Exception e) {
            timed.onFailure(e);
        }
    }
}
