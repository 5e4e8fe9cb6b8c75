/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.round;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.decision.Batch;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.arrivals.decision.DuplicateRule;
import org.opensearch.simhash.arrivals.decision.Judgement.DocumentResult;
import org.opensearch.simhash.arrivals.request.BulkChanges.Bulk;
import org.opensearch.simhash.arrivals.request.BulkOutcome;
import org.opensearch.simhash.arrivals.round.Round.LookupMemory;
import org.opensearch.simhash.arrivals.round.Round.RoundServices;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.search.query.FingerprintPresence;
import org.opensearch.simhash.search.warnings.RequestWarnings;

/**
 * Documents that one processor gets at once. Decides them in rounds of some hundreds, one after the other, so a large
 * bulk needs little more memory than a small one. One thread at a time, one use.
 */
public final class ArrivedDocuments {

    static final int AT_ONCE = 1_024;

    /** Heap bytes of a document that waits for its round, roughly. */
    private static final long BYTES_PER_ARRIVAL = 320;

    private final RoundServices services;
    private final DuplicateRule rule;
    private final Criteria criteria;
    private final LookupScopes scopes;
    private final Supplier<LookupScopes> scopesNow;
    private final Bulk bulk;
    private final Arriving arriving;
    private final List<Arrival> arrivals = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();
    private DocumentResult[] decisions;
    private long without;
    /** Of these, texts without words. */
    private long noText;

    /** @param scopesNow scopes in the current cluster state */
    public ArrivedDocuments(
            RoundServices services, DuplicateRule rule, Criteria criteria, Supplier<LookupScopes> scopesNow) {
        this.services = services;
        this.rule = rule;
        this.criteria = criteria;
        this.scopesNow = scopesNow;
        this.scopes = scopesNow.get();
        this.bulk = Bulk.of(services.lookups().threadContext());
        this.arriving = new Arriving(services.knowledge().window(), rule, scopes, bulk);
    }

    /**
     * @param documents null for those that failed before
     * @param handler gets the decisions, null for documents that failed before; may be called before this returns
     */
    public void decide(List<IngestDocument> documents, Consumer<List<DocumentResult>> handler) {
        decisions = new DocumentResult[documents.size()];
        for (int place = 0; place < decisions.length; place++) {
            if (documents.get(place) != null) {
                arrive(documents.get(place), place);
            }
        }
        if (bulk.isSimulated() == false) {
            services.counts().add(DuplicateCount.WITHOUT_FINGERPRINT, without - noText);
            services.counts().add(DuplicateCount.NO_TEXT, noText);
            RequestWarnings warnings = RequestWarnings.of(services.lookups().threadContext());
            new ArrivalWarnings(warnings, services.presence(), rule).warn(arrivals, without);
        }
        BulkOutcome outcome = new BulkOutcome(bulk.changes(), scopes, arrivals);
        long held = Math.max(0, arrivals.size() - AT_ONCE) * BYTES_PER_ARRIVAL
                + arrivals.stream()
                        .mapToLong(arrival -> arrival.pairing().bytes())
                        .sum();
        LookupMemory room = new LookupMemory(new Account(services.memory()), services.lookups(), held);
        rounds(0, outcome, room, handler);
    }

    private void arrive(IngestDocument document, int place) {
        try {
            Arrival arrival = arriving.arrival(document);
            if (arrival == null) {
                decisions[place] = DocumentResult.KEPT;
                without++;
                noText += ArrivedPrint.isOfNoWords(document.getSourceAndMetadata(), rule.field()) ? 1 : 0;
            } else {
                arrivals.add(arrival);
                places.add(place);
            }
        } catch (Exception e) {
            services.counts().increment(DuplicateCount.FAILED);
            decisions[place] = DocumentResult.failed(e);
        }
    }

    private void rounds(int first, BulkOutcome outcome, LookupMemory room, Consumer<List<DocumentResult>> handler) {
        for (int at = first; at < arrivals.size(); at += AT_ONCE) {
            int from = at;
            int to = Math.min(from + AT_ONCE, arrivals.size());
            Batch batch = new Batch(
                    rule,
                    criteria,
                    scopes,
                    outcome,
                    bulk.tally(),
                    services.lookups().timeout().get(),
                    bulk.isSimulated(),
                    arrivals.subList(from, to),
                    new HashMap<>());
            // After a round that is decided at once this loop goes on: rounds within others would exceed the stack.
            AtomicReference<Thread> starting = new AtomicReference<>(Thread.currentThread());
            new Round(services, batch, room, scopesNow, made -> {
                        for (int i = 0; i < made.size(); i++) {
                            decisions[places.get(from + i)] = made.get(i);
                            arrivals.get(from + i).decided();
                        }
                        if (starting.compareAndSet(Thread.currentThread(), null) == false) {
                            rounds(to, outcome, room, handler);
                        }
                    })
                    .start();
            if (starting.getAndSet(null) != null) {
                return;
            }
        }
        handler.accept(Arrays.asList(decisions));
    }

    /** Warns if a bulk's documents cannot be near anything: once for all. */
    private record ArrivalWarnings(RequestWarnings warnings, FingerprintPresence presence, DuplicateRule rule) {

        /** Most questions for one bulk, each about a scope and a scheme. */
        private static final int MOST_QUESTIONS = 4;

        /** Most ids to remember. A stored document with such an id belongs to the bulk. */
        private static final int MOST_IDS = 10_000;

        private static final String NAME = "[" + NearDuplicateProcessor.TYPE + "]";

        /** @param without documents without a fingerprint */
        void warn(List<Arrival> arrivals, long without) {
            long tooShort = arrivals.stream()
                    .filter(arrival -> arrival.print().isWhole() == false)
                    .count();
            warnings.arrived(NAME + " for [" + rule.field() + "]", arrivals.size() + without, without, tooShort);
            Map<List<String>, Set<String>> schemes = new LinkedHashMap<>();
            Set<String> ids = new HashSet<>();
            for (Arrival arrival : arrivals) {
                if (ids.size() < MOST_IDS) {
                    ids.add(arrival.name().id());
                }
                String scheme = arrival.print().scheme();
                if (arrival.scope().isSearchable() && scheme != null) {
                    schemes.computeIfAbsent(arrival.scope().expressions(), any -> new TreeSet<>())
                            .add(scheme);
                }
            }
            String text = rule.ownVerification() == null
                    ? null
                    : rule.ownVerification().field();
            int questions = 0;
            for (Map.Entry<List<String>, Set<String>> place : schemes.entrySet()) {
                for (String scheme : place.getValue()) {
                    if (questions++ < MOST_QUESTIONS) {
                        ask(new FingerprintPresence.SoughtPrints(
                                FingerprintPresence.SearchedPlace.of(place.getKey()),
                                rule.field(),
                                Set.of(scheme),
                                text,
                                ids));
                    }
                }
            }
        }

        /** Asks after the bulk's lookups. */
        private void ask(FingerprintPresence.SoughtPrints sought) {
            warnings.whenDone(
                    List.of(sought.place(), sought.field(), sought.schemes()),
                    answered -> presence.explain(sought, found -> {
                        found.map(sentence -> NAME + " " + sentence).ifPresent(warnings::add);
                        answered.run();
                    }));
        }
    }
}
