/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.common.util.concurrent.ListenableFuture;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.nearduplicate.ArrivalWindow.State;
import org.opensearch.threadpool.ThreadPool;

/**
 * The documents that one processor gets at once, on their way from arrival to decision:
 *
 * <pre>
 * enter the window → look up in the index → wait for earlier rounds that matter → get the originals → decide in order
 * </pre>
 *
 * <p>No thread waits. The steps follow one another, each on one thread. Whatever fails, fails documents, and never the round:
 * its handler is called once.
 */
final class Round {

    /** Documents looked up together; a larger bulk does so several times, so that not all is in memory at once. */
    private static final int LOOKUPS_AT_ONCE = 512;

    /** What a document's lookup takes of the heap, roughly. */
    private static final long BYTES_PER_LOOKUP = 4096;

    /** Candidates of the window that are kept for each document. */
    static final int WINDOW_MATCHES = 8;

    /**
     * Documents to be looked up together.
     *
     * @param joint whether by one search for all, or by one for each
     */
    private record Work(List<Arrival> arrivals, boolean joint) {}

    private final NearDuplicates services;
    private final DuplicateRule rule;
    private final Criteria criteria;
    private final LookupScopes scopes;
    private final boolean simulated;
    private final List<Arrival> arrivals;
    private final Consumer<List<Decision>> handler;
    private final ListenableFuture<Void> decided = new ListenableFuture<>();
    private final Queue<Work> work = new ArrayDeque<>();
    private final AtomicBoolean finished = new AtomicBoolean();
    private long firstNumber;
    private boolean accounted;
    private boolean inGate;

    Round(
            NearDuplicates services,
            DuplicateRule rule,
            LookupScopes scopes,
            List<Arrival> arrivals,
            Consumer<List<Decision>> handler) {
        this.services = services;
        this.rule = rule;
        this.criteria = new Criteria(rule.maxDistance(services.settings()), rule.verification(services.settings()));
        this.scopes = scopes;
        this.simulated = Simulations.isMarked(services.threadContext());
        this.arrivals = arrivals;
        this.handler = handler;
    }

    /** Done when it is known what becomes of each document. */
    ListenableFuture<Void> decided() {
        return decided;
    }

    long lastNumber() {
        return firstNumber + arrivals.size() - 1;
    }

    List<Arrival> arrivals() {
        return arrivals;
    }

    Criteria criteria() {
        return criteria;
    }

    DuplicateRule rule() {
        return rule;
    }

    void numbered(long first) {
        firstNumber = first;
        for (int i = 0; i < arrivals.size(); i++) {
            arrivals.get(i).numbered(first + i);
        }
    }

    /** The document will be indexed under this name, unless that is only played. */
    void keep(Arrival arrival, DocumentName name) {
        if (simulated) {
            services.window().drop(arrival.number());
        } else {
            services.window().keep(arrival.number(), name);
        }
    }

    LookupScopes scopes() {
        return scopes;
    }

    /** The document of this round that has a number in the window, or null. */
    Arrival arrival(long number) {
        return number < firstNumber ? null : arrivals.get((int) (number - firstNumber));
    }

    void start() {
        services.counts().add(DuplicateCount.LOOKED_UP, arrivals.size());
        account();
        services.begin(this);
        try {
            find();
        } catch (RuntimeException e) {
            if (finished.get()) {
                throw e; // of what comes after the handler
            }
            failed(e); // or later rounds would wait for this one
        }
    }

    private void account() {
        try {
            services.memory().accept(arrivals.size() * BYTES_PER_LOOKUP);
            accounted = true;
        } catch (CircuitBreakingException e) {
            arrivals.forEach(arrival -> arrival.failed(IndexLookup.failure(arrival, e)));
        }
    }

    private void find() {
        if (accounted == false) {
            decide(new StoredOriginals());
            return;
        }
        if (criteria.verification() != null) {
            for (Arrival arrival : arrivals) {
                services.texts()
                        .put(
                                arrival.number(),
                                arrival.document().getSourceAndMetadata(),
                                Candidates.textFields(services, this, arrival));
            }
        }
        for (Arrival arrival : arrivals) {
            arrival.foundInWindow(services.window()
                    .nearest(arrival, arrival.scope().indices(), criteria.maxDistance(), WINDOW_MATCHES));
        }
        List<Arrival> searchable = arrivals.stream()
                .filter(arrival -> arrival.scope().searchable())
                .toList();
        if (searchable.isEmpty()) {
            awaitEarlier();
        } else {
            divide(searchable);
            services.gate()
                    .enter(services.client().threadPool().getThreadContext().preserveContext(this::enterGate));
        }
    }

    /** What is looked up together must be of one scope. */
    private void divide(List<Arrival> searchable) {
        Map<LookupScope, List<Arrival>> byScope = new HashMap<>();
        for (Arrival arrival : searchable) {
            byScope.computeIfAbsent(arrival.scope(), any -> new ArrayList<>()).add(arrival);
        }
        for (List<Arrival> same : byScope.values()) {
            for (int from = 0; from < same.size(); from += LOOKUPS_AT_ONCE) {
                List<Arrival> some = same.subList(from, Math.min(from + LOOKUPS_AT_ONCE, same.size()));
                work.add(new Work(some, criteria.verification() == null && some.size() > 1));
            }
        }
    }

    private void enterGate() {
        inGate = true;
        lookUp();
    }

    private void leaveGate() {
        if (inGate) {
            inGate = false;
            services.gate().leave();
        }
    }

    private void lookUp() {
        Work next = work.poll();
        if (next == null) {
            leaveGate();
            awaitEarlier();
        } else if (next.joint()) {
            this.<SearchResponse>send(
                    next,
                    listener -> services.jointLookup().send(next.arrivals(), rule, criteria, listener),
                    answer -> {
                        if (JointLookup.note(next.arrivals(), answer, rule, criteria) == false) {
                            work.add(new Work(next.arrivals(), false));
                        }
                    });
        } else {
            this.<MultiSearchResponse>send(
                    next,
                    listener -> services.lookup().send(next.arrivals(), rule, criteria, listener),
                    answer -> IndexLookup.note(next.arrivals(), answer, criteria));
        }
    }

    /** Sends something, handles the answer on a thread for writing, whatever it is, and goes on with the rest of the work. */
    private <A> void send(Work sent, Consumer<ActionListener<A>> request, Consumer<A> onAnswer) {
        ActionListener<A> listener = ActionListener.wrap(
                answer -> services.fork(
                        () -> {
                            onAnswer.accept(answer);
                            lookUp();
                        },
                        this::failed),
                e -> services.fork(
                        () -> {
                            IndexLookup.noteFailure(sent.arrivals(), e);
                            lookUp();
                        },
                        this::failed));
        try {
            request.accept(ListenerTimeouts.wrapWithTimeout(
                    services.client().threadPool(),
                    listener,
                    services.settings().lookupTimeout(),
                    ThreadPool.Names.SAME,
                    "near_duplicate lookup"));
        } catch (Exception e) {
            listener.onFailure(e);
        }
    }

    private void awaitEarlier() {
        List<Long> numbers = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            for (WindowMatch match : arrival.inWindow()) {
                if (match.number() < firstNumber && services.window().state(match.number()) == State.UNDECIDED) {
                    numbers.add(match.number());
                }
            }
        }
        services.whenDecided(numbers, this::getOriginals);
    }

    private void getOriginals() {
        try {
            StoredOriginals stored = new StoredOriginals();
            for (Arrival arrival : arrivals) {
                new Candidates(services, this, arrival, stored).want();
            }
            if (stored.wantsNothing()) {
                decide(stored);
            } else {
                stored.fetch(
                        services.client(),
                        services.settings().lookupTimeout(),
                        Candidates.fields(services, this),
                        () -> services.fork(() -> decide(stored), this::failed));
            }
        } catch (Exception e) {
            failed(e);
        }
    }

    private void decide(StoredOriginals stored) {
        List<Decision> decisions;
        try {
            decisions = new Judgement(services, this, stored).decide();
        } catch (Exception e) {
            failed(e);
            return;
        }
        finish(decisions);
    }

    /** Only when something is broken: the documents are not lost, each fails. */
    private void failed(Exception e) {
        if (finished.get()) {
            return;
        }
        List<Decision> decisions = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            keep(arrival, arrival.name());
            decisions.add(Decision.failed(new OpenSearchStatusException(
                    "near-duplicates of [" + arrival.name().id() + "] could not be looked up: " + e.getMessage(),
                    RestStatus.INTERNAL_SERVER_ERROR,
                    e)));
        }
        finish(decisions);
    }

    private void finish(List<Decision> decisions) {
        if (finished.getAndSet(true)) {
            return; // what comes after the handler failed
        }
        leaveGate();
        if (accounted) {
            services.memory().accept(-arrivals.size() * BYTES_PER_LOOKUP);
        }
        services.end(firstNumber);
        decided.onResponse(null);
        handler.accept(decisions);
    }
}
