/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.util.concurrent.ListenableFuture;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Criteria;
import org.opensearch.simhash.nearduplicate.decision.Batch;
import org.opensearch.simhash.nearduplicate.decision.Decision;
import org.opensearch.simhash.nearduplicate.decision.DuplicateCount;
import org.opensearch.simhash.nearduplicate.decision.DuplicateRule;
import org.opensearch.simhash.nearduplicate.decision.Judgement;
import org.opensearch.simhash.nearduplicate.decision.RoundCandidates;
import org.opensearch.simhash.nearduplicate.lookup.NodeLookups;
import org.opensearch.simhash.nearduplicate.lookup.RoundLookup;
import org.opensearch.simhash.nearduplicate.request.BulkAnswers;
import org.opensearch.simhash.nearduplicate.request.BulkChanges;
import org.opensearch.simhash.nearduplicate.request.BulkOutcome;
import org.opensearch.simhash.nearduplicate.request.Simulations;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;

/**
 * The documents that one processor gets at once, on their way from arrival to decision:
 *
 * <pre>
 * enter the window → look up in the index → wait for earlier rounds that matter → get the originals → decide in order
 *                            ↑                           ↑                                ↓
 *                            ↑                           ← look further in the window ←←←←
 *                            ←←←←←←←←←←←←←←←←←←← look further in the index, once ←←←←←←←←←←
 * </pre>
 *
 * <p>No thread waits. The steps follow one another, each on one thread: the first where the round is started, the others forked.
 * Whatever fails, fails documents, and never the round: its handler is called once, and nothing is held by then.
 */
final class Round {

    /** What a document's lookup takes of the heap, roughly. */
    private static final long BYTES_PER_LOOKUP = 4096;

    /** What it takes more when it is looked up for more matches. */
    private static final long BYTES_PER_FURTHER_LOOKUP = 4 * BYTES_PER_LOOKUP;

    private static final Logger LOGGER = LogManager.getLogger(Round.class);

    private final NearDuplicates services;
    private final NodeLookups lookups;
    private final Batch batch;
    private final List<Arrival> arrivals;
    private final Consumer<List<Decision>> handler;
    private final ListenableFuture<Void> decided = new ListenableFuture<>();
    private final RoundLookup lookup;
    private final RoundCandidates candidates;
    private final Judgement judgement;
    private final AtomicBoolean finished = new AtomicBoolean();
    /** Bytes that are on the account. */
    private long accounted;

    Round(
            NearDuplicates services,
            DuplicateRule rule,
            LookupScopes scopes,
            BulkChanges changes,
            List<Arrival> arrivals,
            Consumer<List<Decision>> handler) {
        this.services = services;
        this.lookups = services.lookups();
        this.arrivals = arrivals;
        this.handler = handler;
        Criteria criteria = services.settings().criteria(rule);
        boolean simulated = Simulations.isMarked(lookups.threadContext());
        BulkOutcome outcome = new BulkOutcome(changes, scopes, arrivals);
        this.batch = new Batch(
                rule, criteria, scopes, outcome, lookups.timeout().get(), simulated, arrivals, new HashMap<>());
        this.candidates = new RoundCandidates(services.knowledge(), batch, services.memory());
        this.judgement = new Judgement(services.knowledge(), batch, candidates, services.counts());
        this.lookup = new RoundLookup(
                lookups, criteria, () -> services.scopes(rule.indices()), this::awaitEarlier, this::failed);
    }

    /** Done when it is known what becomes of each document. */
    ListenableFuture<Void> decided() {
        return decided;
    }

    Batch batch() {
        return batch;
    }

    /**
     * Sets out. Where all is known at once, the handler is called before this returns, and what it throws comes out here, for
     * OpenSearch to answer.
     */
    void start() {
        try {
            services.counts().add(DuplicateCount.LOOKED_UP, arrivals.size());
            account(arrivals, BYTES_PER_LOOKUP);
            services.begin(this);
            find();
        } catch (RuntimeException e) {
            if (finished.get()) {
                throw e;
            }
            failed(e); // or later rounds would wait for this one
        }
    }

    /** Documents for which there is no room fail. */
    private void account(List<Arrival> some, long bytesOfEach) {
        long bytes = some.size() * bytesOfEach;
        try {
            services.memory().accept(bytes);
            accounted += bytes;
        } catch (CircuitBreakingException e) {
            some.forEach(arrival -> arrival.failed(e));
        }
    }

    private void find() {
        candidates.look();
        lookUp(arrivals);
    }

    private void lookUp(List<Arrival> some) {
        List<Arrival> searchable = some.stream()
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
                    lookups,
                    () -> lookups.fork(this::lookFurther, this::failed),
                    () -> lookups.fork(this::decide, this::failed));
        } else {
            lookFurther();
        }
    }

    private void lookFurther() {
        if (candidates.lookFurther()) {
            awaitEarlier();
            return;
        }
        List<Arrival> usedUp = candidates.usedUp();
        if (usedUp.isEmpty()) {
            decide();
        } else {
            account(usedUp, BYTES_PER_FURTHER_LOOKUP);
            lookUp(usedUp);
        }
    }

    private void decide() {
        finish(judgement.decide());
    }

    /** Only when something is broken: the documents are not lost, each fails. */
    private void failed(Exception e) {
        if (finished.get()) {
            // To call the handler again would count its documents twice in the statistics of the node, which can then
            // not be read.
            LOGGER.error("what comes after [" + NearDuplicateProcessor.TYPE + "] failed, and with it the bulk", e);
            BulkAnswers.of(lookups.threadContext())
                    .fail(new OpenSearchStatusException(
                            "nothing of the bulk was done: what comes after [" + NearDuplicateProcessor.TYPE
                                    + "] in a pipeline failed: " + e.getMessage(),
                            RestStatus.INTERNAL_SERVER_ERROR,
                            e));
            return;
        }
        services.counts().add(DuplicateCount.FAILED, arrivals.size());
        List<Decision> decisions = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            certainly(() -> judgement.keepPerhaps(arrival));
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
        services.memory().accept(-accounted);
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
