/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.util.concurrent.ListenableFuture;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;

/**
 * The documents that one processor gets at once, on their way from arrival to decision:
 *
 * <pre>
 * enter the window → look up in the index → wait for earlier rounds that matter → get the originals → decide in order
 *                                                        ↑                                ↓
 *                                                        ← look further in the window ←←←←
 * </pre>
 *
 * <p>No thread waits. The steps follow one another, each on one thread: the first where the round is started, the others forked.
 * Whatever fails, fails documents, and never the round: its handler is called once, and nothing is held by then.
 */
final class Round {

    /** What a document's lookup takes of the heap, roughly. */
    private static final long BYTES_PER_LOOKUP = 4096;

    private static final Logger LOGGER = LogManager.getLogger(Round.class);

    private final NearDuplicates services;
    private final DuplicateRule rule;
    private final Criteria criteria;
    private final LookupScopes scopes;
    private final BulkOutcome outcome;
    private final boolean simulated;
    private final List<Arrival> arrivals;
    private final Consumer<List<Decision>> handler;
    private final ListenableFuture<Void> decided = new ListenableFuture<>();
    private final RoundLookup lookup;
    private final RoundCandidates candidates;
    private final AtomicBoolean finished = new AtomicBoolean();
    private long firstNumber;
    private boolean accounted;

    Round(
            NearDuplicates services,
            DuplicateRule rule,
            LookupScopes scopes,
            BulkChanges changes,
            List<Arrival> arrivals,
            Consumer<List<Decision>> handler) {
        this.services = services;
        this.rule = rule;
        this.criteria = new Criteria(rule.maxDistance(services.settings()), rule.verification(services.settings()));
        this.scopes = scopes;
        this.outcome = new BulkOutcome(changes, scopes, arrivals);
        this.simulated = Simulations.isMarked(services.threadContext());
        this.arrivals = arrivals;
        this.handler = handler;
        this.candidates = new RoundCandidates(services, this);
        this.lookup = new RoundLookup(services, rule, criteria, this::awaitEarlier, this::failed);
    }

    /** Done when it is known what becomes of each document. */
    ListenableFuture<Void> decided() {
        return decided;
    }

    /** Of its first document, in the window. */
    long firstNumber() {
        return firstNumber;
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
        } else if (outcome.isUpdate(arrival)) {
            services.window().keepBeside(arrival.number());
        } else {
            services.window().keep(arrival.number(), name);
        }
    }

    /** What its bulk does to documents. */
    BulkOutcome outcome() {
        return outcome;
    }

    LookupScopes scopes() {
        return scopes;
    }

    /** The document of this round that has a number in the window, or null. */
    Arrival arrival(long number) {
        return number < firstNumber ? null : arrivals.get((int) (number - firstNumber));
    }

    /**
     * Sets out. Where all is known at once, the handler is called before this returns, and what it throws comes out here, for
     * OpenSearch to answer.
     */
    void start() {
        try {
            services.counts().add(DuplicateCount.LOOKED_UP, arrivals.size());
            account();
            services.begin(this);
            find();
        } catch (RuntimeException e) {
            if (finished.get()) {
                throw e;
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
            decide();
            return;
        }
        candidates.look();
        List<Arrival> searchable = arrivals.stream()
                .filter(arrival -> arrival.failure() == null && arrival.scope().isSearchable())
                .toList();
        if (searchable.isEmpty()) {
            awaitEarlier();
        } else {
            lookup.start(searchable);
        }
    }

    private void awaitEarlier() {
        services.whenDecided(candidates.undecided(), this::getOriginals, this::failed);
    }

    private void getOriginals() {
        if (candidates.want()) {
            candidates.get(
                    () -> services.fork(this::lookFurther, this::failed),
                    () -> services.fork(this::decide, this::failed));
        } else {
            lookFurther();
        }
    }

    private void lookFurther() {
        if (candidates.lookFurther()) {
            awaitEarlier();
        } else {
            decide();
        }
    }

    private void decide() {
        finish(new Judgement(services, this, candidates).decide());
    }

    /** Only when something is broken: the documents are not lost, each fails. */
    private void failed(Exception e) {
        if (finished.get()) {
            // To call the handler again would count its documents twice in the statistics of the node, which can then
            // not be read.
            LOGGER.error("what comes after [" + NearDuplicateProcessor.TYPE + "] failed: the bulk is not answered", e);
            return;
        }
        services.counts().add(DuplicateCount.FAILED, arrivals.size());
        List<Decision> decisions = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            certainly(() -> keep(arrival, arrival.name()));
            decisions.add(Decision.failed(new OpenSearchStatusException(
                    "near-duplicates of [" + arrival.name().id() + "] could not be looked up: " + e.getMessage(),
                    RestStatus.INTERNAL_SERVER_ERROR,
                    e)));
        }
        finish(decisions);
    }

    private void finish(List<Decision> decisions) {
        if (finished.getAndSet(true)) {
            return;
        }
        certainly(lookup::end);
        certainly(candidates::close);
        certainly(this::giveBack);
        certainly(() -> services.end(this));
        certainly(() -> decided.onResponse(null));
        handler.accept(decisions);
    }

    private void giveBack() {
        if (accounted) {
            services.memory().accept(-arrivals.size() * BYTES_PER_LOOKUP);
        }
    }

    /** Whatever becomes of a step, those that follow are taken: the client, the breaker and later rounds wait for them. */
    private static void certainly(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOGGER.error("a round of [" + NearDuplicateProcessor.TYPE + "] did not end as it should", e);
        }
    }
}
