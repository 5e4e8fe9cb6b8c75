/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.opensearch.common.UUIDs;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.IngestDocument.Metadata;
import org.opensearch.ingest.IngestDocumentWrapper;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;
import org.opensearch.simhash.nearduplicate.decision.Decision;
import org.opensearch.simhash.nearduplicate.decision.DuplicateCount;
import org.opensearch.simhash.nearduplicate.decision.DuplicateRule;
import org.opensearch.simhash.nearduplicate.decision.DuplicateTag;
import org.opensearch.simhash.nearduplicate.request.BulkAnswers;
import org.opensearch.simhash.nearduplicate.request.BulkChanges;
import org.opensearch.simhash.nearduplicate.request.Simulations;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
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
        BulkAnswer answer = BulkAnswers.of(services.threadContext());
        boolean simulated = Simulations.isMarked(services.threadContext());
        IngestDocumentWrapper[] results = new IngestDocumentWrapper[batch.size()];
        List<Arrival> arrivals = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < results.length; i++) {
            IngestDocumentWrapper wrapper = batch.get(i);
            try {
                if (wrapper.getException() == null && simulated == false) {
                    IndexableDocument.check(wrapper.getIngestDocument());
                }
                Arrival arrival = wrapper.getException() == null
                        ? arrival(wrapper.getIngestDocument(), scopes, changes, answer)
                        : null;
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

    /** Null when there is nothing to compare the document by. */
    private Arrival arrival(IngestDocument document, LookupScopes scopes, BulkChanges changes, BulkAnswer answer) {
        Map<String, Object> fields = document.getSourceAndMetadata();
        ArrivedFingerprint fingerprint = ArrivedFingerprint.read(fields, rule.field());
        if (fingerprint == null) {
            DuplicateTag.remove(
                    document,
                    rule.targetField(),
                    original -> isTaggedByAnEarlierOne(document, scopes, answer, original));
            return null;
        }
        Object given = fields.get(Metadata.INDEX.getFieldName());
        if (given == null) {
            throw new IllegalArgumentException("[_index] must be the index that the document goes to, got: null");
        }
        String index = given.toString();
        Object id = fields.get(Metadata.ID.getFieldName());
        boolean isNamed = id != null;
        if (isNamed == false) {
            // An original that others name must have a name before it is indexed.
            id = UUIDs.base64UUID();
            fields.put(Metadata.ID.getFieldName(), id);
        }
        DocumentName name = scopes.name(index, id.toString(), Arrival.routing(document));
        return new Arrival(
                document,
                fingerprint,
                changes.routed(name, scopes),
                isNamed,
                scopes.filteredAlias(index),
                answer,
                scopes.scope(index));
    }

    /** Whether a pipeline that the document went through before this one named the original. */
    private boolean isTaggedByAnEarlierOne(
            IngestDocument document, LookupScopes scopes, BulkAnswer answer, DocumentName original) {
        Map<String, Object> fields = document.getSourceAndMetadata();
        return fields.get(Metadata.INDEX.getFieldName()) instanceof String index
                && fields.get(Metadata.ID.getFieldName()) instanceof String id
                && services.knowledge()
                        .window()
                        .follows(scopes.name(index, id, Arrival.routing(document)), answer, original);
    }
}
