/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.round;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.decision.Batch;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.arrivals.decision.Judgement;
import org.opensearch.simhash.arrivals.decision.Judgement.DocumentResult;
import org.opensearch.simhash.arrivals.decision.NodeKnowledge;
import org.opensearch.simhash.arrivals.decision.RoundKnowledge;
import org.opensearch.simhash.arrivals.lookup.NodeLookups;
import org.opensearch.simhash.arrivals.lookup.RoundLookup;
import org.opensearch.simhash.arrivals.peers.PeerLookup;
import org.opensearch.simhash.arrivals.peers.PeerLookup.PeerOptions;
import org.opensearch.simhash.arrivals.peers.Peers;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.ingest.FingerprintCounts.BulkTally;
import org.opensearch.simhash.search.query.FingerprintPresence;
import org.opensearch.simhash.search.warnings.RequestWarnings;
import org.opensearch.telemetry.tracing.Span;
import org.opensearch.telemetry.tracing.noop.NoopSpan;
import org.opensearch.threadpool.ThreadPool;

/**
 * Takes documents from arrival to decision:
 *
 * <pre>
 * meet the other nodes → enter the window → search the index → ┌→ take a snapshot → prove the originals → decide in order
 *                            ↑          │         ↓                   │ (one has changed)
 *                            │          ├─ wait for earlier rounds    │
 *                            │          ├─ get originals        ←─────┤ (one is not durable, and its duplicate stays)
 *                            │          └─ look further in the window ┘
 *                            └── look further in the index
 * </pre>
 *
 * <p>No thread waits. The steps run one after the other, each on one thread: the first on the caller's, the others
 * forked. An error fails documents, never the round: the handler is called once, after all memory is given back.
 */
public final class Round {

    /** Heap bytes of a lookup, roughly. */
    private static final long BYTES_PER_LOOKUP = 4096;

    private static final int MOST_ATTEMPTS = 3;

    private static final Logger LOGGER = LogManager.getLogger(Round.class);

    private final RoundServices services;
    private final NodeLookups lookups;
    private final List<Arrival> arrivals;
    private final LookupMemory room;
    private final Consumer<List<DocumentResult>> handler;
    private final RoundLookup lookup;
    private final PeerLookup peers;
    private final RoundKnowledge knowledge;
    private final Judgement judgement;
    private final AtomicBoolean finished = new AtomicBoolean();
    private final long begun = System.nanoTime();
    private final Span span;
    private Span lookupSpan = NoopSpan.INSTANCE;
    /** Null until the round enters the window. */
    private RoundsUnderWay.Entered place;

    private int attempts;
    /** Bytes for the matches of further lookups. A further lookup forgets the matches of the one before. */
    private long further;

    /** Lookups under way: in the index, and on other nodes. */
    private final AtomicInteger lookingUp = new AtomicInteger();

    /** @param scopes in the current cluster state */
    Round(
            RoundServices services,
            Batch batch,
            LookupMemory room,
            Supplier<LookupScopes> scopes,
            Consumer<List<DocumentResult>> handler) {
        this.services = services;
        this.lookups = services.lookups();
        this.arrivals = batch.arrivals();
        this.room = room;
        this.span = services.spans().start("simhash.near_duplicate");
        span.addAttribute("documents", (long) arrivals.size());
        this.handler = handler;
        this.peers = new PeerLookup(
                services.peers(),
                services.peerOptions().get(),
                batch.rule().indices(),
                batch.criteria(),
                services.memory());
        this.knowledge = new RoundKnowledge(services.knowledge(), batch, peers.findings(), services.memory());
        this.judgement = new Judgement(
                services.knowledge(), batch, services.counts(), RequestWarnings.of(lookups.threadContext()));
        this.lookup =
                new RoundLookup(lookups, batch.criteria(), batch.pairFields(), scopes, this::lookedUp, this::failed);
    }

    /** If all is known at once, the handler runs before this returns, and its exception reaches OpenSearch. */
    void start() {
        try {
            services.counts().add(DuplicateCount.LOOKED_UP, arrivals.size());
            room.take(
                    arrivals.size() * BYTES_PER_LOOKUP,
                    this::meet,
                    refusal -> {
                        arrivals.forEach(arrival -> arrival.failed(refusal));
                        enter();
                    },
                    this::failed);
        } catch (RuntimeException e) {
            if (finished.get()) {
                throw e;
            }
            failed(e); // or later rounds would wait for this one
        }
    }

    private void meet() {
        ActionListener<Void> met = ContextPreservingActionListener.wrapPreservingContext(
                ActionListener.wrap(nothing -> enter(), this::failed), lookups.threadContext());
        if (peers.meet(lookups::fork, met) == false) {
            enter();
        }
    }

    private void enter() {
        place = services.rounds().enter(arrivals);
        knowledge.begin();
        List<Arrival> asked =
                arrivals.stream().filter(arrival -> arrival.failure() == null).toList();
        startLookup(2);
        if (peers.start(asked, forked(this::lookedUp)) == false) {
            lookedUp();
        }
        search(arrivals);
    }

    /** Other nodes answer on threads that must not be blocked. */
    private Runnable forked(Runnable step) {
        return lookups.threadContext().preserveContext(() -> lookups.fork(step, this::failed));
    }

    private void search(List<Arrival> some) {
        List<Arrival> searchable = some.stream()
                .filter(arrival -> arrival.failure() == null && arrival.scope().isSearchable())
                .toList();
        if (searchable.isEmpty()) {
            lookedUp();
        } else {
            lookup.start(searchable);
        }
    }

    private void startLookup(int parts) {
        lookupSpan = services.spans().start("simhash.near_duplicate.lookup", span);
        lookingUp.set(parts);
    }

    private void lookedUp() {
        if (lookingUp.decrementAndGet() == 0) {
            lookupSpan.endSpan();
            settle();
        }
    }

    /** Finds out what the decision needs. Runs again after each step. */
    private void settle() {
        if (peers.failure() != null) {
            arrivals.stream()
                    .filter(arrival -> arrival.failure() == null)
                    .forEach(arrival -> arrival.failed(peers.failure()));
        }
        do {
            verify();
            List<Long> undecided = knowledge.undecided();
            if (undecided.isEmpty() == false) {
                services.rounds().whenDecided(undecided, lookups, this::settle, this::failed);
                return;
            }
            if (knowledge.want()) {
                knowledge.get(lookups, () -> lookups.fork(this::settle, this::failed));
                return;
            }
        } while (knowledge.lookFurther());
        if (looksElsewhere() == false && looksForCarriers() == false) {
            prove();
        }
    }

    private void verify() {
        Span comparison = services.spans().start("simhash.near_duplicate.verify", span);
        try {
            knowledge.take();
        } finally {
            comparison.endSpan();
        }
    }

    /** Asks other nodes or the index for more, if they may have originals of documents that have none. */
    private boolean looksElsewhere() {
        List<Arrival> unheard = knowledge.unheard();
        if (unheard.isEmpty() == false) {
            peers.further(unheard, forked(this::settle));
            return true;
        }
        List<Arrival> usedUp = knowledge.usedUp();
        if (usedUp.isEmpty()) {
            return false;
        }
        startLookup(1);
        long needed = usedUp.stream()
                .mapToLong(arrival -> (long) RoundKnowledge.BYTES_PER_CANDIDATE * arrival.wanted())
                .sum();
        if (takeRoom(usedUp, Math.max(0, needed - further))) {
            further = Math.max(further, needed);
        }
        search(usedUp);
        return true;
    }

    /** Asks whether other documents have the groups of documents that are written again. */
    private boolean looksForCarriers() {
        Map<Arrival, String> lone = knowledge.lone();
        if (lone.isEmpty()) {
            return false;
        }
        takeRoom(lone.keySet(), lone.size() * BYTES_PER_LOOKUP);
        knowledge.findCarriers(lookups, lone, () -> lookups.fork(this::settle, this::failed));
        return true;
    }

    private boolean takeRoom(Collection<Arrival> some, long bytes) {
        try {
            room.takeNow(bytes);
            return true;
        } catch (CircuitBreakingException e) {
            some.forEach(arrival -> arrival.failed(e));
            return false;
        }
    }

    /** Asks the shards of originals whether they are durable, as the last step before documents end. */
    private void prove() {
        List<DocumentName> unproven = knowledge.unproven();
        if (unproven.isEmpty()) {
            finish(judgement.carryOut(knowledge));
        } else {
            knowledge.prove(lookups, unproven, () -> lookups.fork(this::conclude, this::failed));
        }
    }

    private void conclude() {
        if (attempts++ < MOST_ATTEMPTS && knowledge.forgetChanged()) {
            settle();
            return;
        }
        knowledge.conclude();
        // A document stays if its original is not durable. Then it follows that original, and may be none for others.
        if (knowledge.lookFurther()) {
            settle();
        } else if (looksElsewhere() == false && looksForCarriers() == false) {
            finish(judgement.carryOut(knowledge));
        }
    }

    /** An unexpected error fails all documents. */
    private void failed(Exception e) {
        if (finished.get()) {
            // A second call of the handler would count its documents twice and break the node's statistics.
            LOGGER.error("what comes after [near_duplicate] failed, and with it the bulk", e);
            BulkTally tally = BulkTally.of(lookups.threadContext());
            if (tally != null) {
                tally.fail("near_duplicate", e);
            }
            return;
        }
        lookupSpan.endSpan();
        span.setError(e);
        services.counts().add(DuplicateCount.FAILED, arrivals.size());
        List<DocumentResult> decisions = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            decisions.add(DocumentResult.failed(new OpenSearchStatusException(
                    "near-duplicates of [" + arrival.name().id() + "] could not be looked up: " + e.getMessage(),
                    RestStatus.INTERNAL_SERVER_ERROR,
                    e)));
        }
        if (place != null) {
            certainly(judgement::giveUp);
        }
        finish(decisions);
    }

    private void finish(List<DocumentResult> decisions) {
        if (finished.getAndSet(true)) {
            return;
        }
        services.times().record(System.nanoTime() - begun);
        span.endSpan();
        if (peers.isIncomplete()) {
            services.counts().add(DuplicateCount.WINDOW_INCOMPLETE, arrivals.size());
        }
        certainly(lookup::end);
        certainly(knowledge::close);
        certainly(peers::close);
        certainly(room::close);
        if (place != null) {
            certainly(() -> services.rounds().leave(place));
        }
        handler.accept(decisions);
    }

    /** A failed step must not stop the others: the client, the breaker and later rounds wait for them. */
    private static void certainly(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOGGER.error("a round of [near_duplicate] did not end as it should", e);
        }
    }

    /** Memory for the lookups of one bulk. If refused, it waits without a thread, in total as long as a lookup's timeout. One thread at a time. */
    static final class LookupMemory {

        private static final TimeValue PAUSE = TimeValue.timeValueMillis(50);

        private final Account memory;
        private final NodeLookups lookups;
        private final long held;
        private long pauses;

        /** @param held bytes to take in addition, once for each round */
        LookupMemory(Account memory, NodeLookups lookups, long held) {
            this.memory = memory;
            this.lookups = lookups;
            this.held = held;
            this.pauses = lookups.timeout().get().millis() / PAUSE.millis();
        }

        /**
         * @param then runs when memory is taken, now if possible
         * @param onRefusal runs after too long a wait
         * @param onFailure gets what the others throw on another thread
         */
        void take(
                long bytes,
                Runnable then,
                Consumer<CircuitBreakingException> onRefusal,
                Consumer<Exception> onFailure) {
            try {
                memory.take(bytes + held);
            } catch (CircuitBreakingException refusal) {
                if (pauses-- > 0) {
                    Runnable again = lookups.threadContext()
                            .preserveContext(
                                    () -> lookups.fork(() -> take(bytes, then, onRefusal, onFailure), onFailure));
                    lookups.client().threadPool().schedule(again, PAUSE, ThreadPool.Names.SAME);
                } else {
                    onRefusal.accept(refusal);
                }
                return;
            }
            then.run();
        }

        /** @throws CircuitBreakingException if refused */
        void takeNow(long bytes) {
            memory.take(bytes);
        }

        void close() {
            memory.close();
        }
    }

    /** Shared services for a node's rounds. Thread-safe. */
    public record RoundServices(
            NodeKnowledge knowledge,
            NodeLookups lookups,
            RoundsUnderWay rounds,
            Peers peers,
            Supplier<PeerOptions> peerOptions,
            LongConsumer memory,
            Counters<DuplicateCount> counts,
            Durations times,
            Spans spans,
            FingerprintPresence presence) {}
}
