/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.support.ListenerTimeouts;
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

    /** Searches sent together; a larger bulk sends several times, so that its requests need not be in memory all at once. */
    private static final int SEARCHES_AT_ONCE = 512;

    /** What a document's lookup takes of the heap, roughly. */
    private static final long BYTES_PER_LOOKUP = 4096;

    /** Candidates of the window that are kept for each document. */
    static final int WINDOW_MATCHES = 8;

    private final NearDuplicates services;
    private final DuplicateRule rule;
    private final Criteria criteria;
    private final LookupScopes scopes;
    private final List<Arrival> arrivals;
    private final Consumer<List<Decision>> handler;
    private final CompletableFuture<Void> decided = new CompletableFuture<>();
    private long firstNumber;
    private boolean accounted;

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
        this.arrivals = arrivals;
        this.handler = handler;
    }

    /** Done when it is known what becomes of each document. */
    CompletableFuture<Void> decided() {
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

    LookupScopes scopes() {
        return scopes;
    }

    /** The document of this round that has a number in the window, or null. */
    Arrival arrival(long number) {
        return number < firstNumber ? null : arrivals.get((int) (number - firstNumber));
    }

    void start() {
        services.counts().countLookedUp(arrivals.size());
        try {
            services.memory().accept(arrivals.size() * BYTES_PER_LOOKUP);
            accounted = true;
        } catch (CircuitBreakingException e) {
            arrivals.forEach(arrival -> arrival.failed(IndexLookup.failure(arrival, e)));
        }
        services.begin(this);
        if (accounted == false) {
            decide(new StoredOriginals());
            return;
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
            Runnable lookUp = () -> lookUp(searchable, 0);
            services.gate()
                    .enter(services.client().threadPool().getThreadContext().preserveContext(lookUp));
        }
    }

    private void lookUp(List<Arrival> searchable, int from) {
        List<Arrival> some = searchable.subList(from, Math.min(from + SEARCHES_AT_ONCE, searchable.size()));
        ActionListener<MultiSearchResponse> answered = ActionListener.wrap(
                response -> services.fork(
                        () -> {
                            IndexLookup.note(some, response, criteria);
                            lookedUp(searchable, from + some.size());
                        },
                        this::failed),
                e -> services.fork(
                        () -> {
                            some.forEach(arrival -> arrival.failed(IndexLookup.failure(arrival, e)));
                            lookedUp(searchable, from + some.size());
                        },
                        this::failed));
        try {
            services.lookup()
                    .send(
                            some,
                            rule,
                            criteria,
                            ListenerTimeouts.wrapWithTimeout(
                                    services.client().threadPool(),
                                    answered,
                                    services.settings().lookupTimeout(),
                                    ThreadPool.Names.SAME,
                                    "near_duplicate lookup"));
        } catch (Exception e) {
            answered.onFailure(e);
        }
    }

    private void lookedUp(List<Arrival> searchable, int upTo) {
        if (upTo < searchable.size()) {
            lookUp(searchable, upTo);
        } else {
            services.gate().leave();
            awaitEarlier();
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
                        Candidates.fields(this, Candidates.languageFields(services, this)),
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
        if (decided.isDone()) {
            return;
        }
        List<Decision> decisions = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            services.window().keep(arrival.number(), arrival.name());
            decisions.add(Decision.failed(new OpenSearchStatusException(
                    "near-duplicates of [" + arrival.name().id() + "] could not be looked up: " + e.getMessage(),
                    RestStatus.INTERNAL_SERVER_ERROR,
                    e)));
        }
        finish(decisions);
    }

    private void finish(List<Decision> decisions) {
        if (accounted) {
            services.memory().accept(-arrivals.size() * BYTES_PER_LOOKUP);
        }
        services.end(firstNumber);
        decided.complete(null);
        handler.accept(decisions);
    }
}
