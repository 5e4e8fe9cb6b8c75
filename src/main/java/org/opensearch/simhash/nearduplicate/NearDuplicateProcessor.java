/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.IngestDocumentWrapper;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.decision.Decision;
import org.opensearch.simhash.nearduplicate.decision.DuplicateCount;
import org.opensearch.simhash.nearduplicate.decision.DuplicateRule;
import org.opensearch.simhash.nearduplicate.request.BulkAnswers;
import org.opensearch.simhash.nearduplicate.request.BulkChanges;
import org.opensearch.simhash.nearduplicate.request.Simulations;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;

/**
 * The ingest processor {@code near_duplicate}: compares a document, by the fingerprint that it carries, with what is in the
 * index and what this node has accepted just before, and tags, drops, refuses or reroutes it when another is near.
 *
 * <p>All documents of a bulk that reach it together are looked up together, and without blocking a thread. Thread-safe.
 */
public final class NearDuplicateProcessor extends AbstractProcessor {

    public static final String TYPE = "near_duplicate";

    private final DuplicateRule rule;
    private final NearDuplicates services;

    NearDuplicateProcessor(String tag, String description, DuplicateRule rule, NearDuplicates services) {
        super(tag, description);
        this.rule = rule;
        this.services = services;
    }

    @Override
    public String getType() {
        return TYPE;
    }

    @Override
    public IngestDocument execute(IngestDocument document) {
        throw new UnsupportedOperationException("near-duplicates are looked up asynchronously");
    }

    @Override
    public void execute(IngestDocument document, BiConsumer<IngestDocument, Exception> handler) {
        batchExecute(List.of(new IngestDocumentWrapper(0, 0, document, null)), results -> {
            IngestDocumentWrapper result = results.getFirst();
            handler.accept(result.getIngestDocument(), result.getException());
        });
    }

    @Override
    public void batchExecute(List<IngestDocumentWrapper> batch, Consumer<List<IngestDocumentWrapper>> handler) {
        LookupScopes scopes = services.scopes(rule.indices());
        BulkChanges changes = BulkChanges.of(services.threadContext());
        boolean simulated = Simulations.isMarked(services.threadContext());
        var arriving =
                new Arriving(services, rule, scopes, changes, BulkAnswers.of(services.threadContext()), simulated);
        IngestDocumentWrapper[] results = new IngestDocumentWrapper[batch.size()];
        List<Arrival> arrivals = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < results.length; i++) {
            IngestDocumentWrapper wrapper = batch.get(i);
            try {
                Arrival arrival = wrapper.getException() == null ? arriving.arrival(wrapper.getIngestDocument()) : null;
                if (arrival == null) {
                    results[i] = wrapper;
                } else {
                    arrivals.add(arrival);
                    places.add(i);
                }
            } catch (Exception e) {
                services.counts().increment(DuplicateCount.FAILED);
                results[i] = result(wrapper, Decision.failed(e));
            }
        }
        if (arrivals.isEmpty()) {
            handler.accept(List.of(results));
            return;
        }
        new Round(services, rule, scopes, changes, arrivals, decisions -> {
                    for (int i = 0; i < decisions.size(); i++) {
                        int place = places.get(i);
                        results[place] = result(batch.get(place), decisions.get(i));
                    }
                    handler.accept(List.of(results));
                })
                .start();
    }

    private static IngestDocumentWrapper result(IngestDocumentWrapper wrapper, Decision decision) {
        boolean goesOn = decision.dropped() == false && decision.failure() == null;
        return new IngestDocumentWrapper(
                wrapper.getSlot(),
                wrapper.getChildSlot(),
                goesOn ? wrapper.getIngestDocument() : null,
                decision.failure());
    }
}
