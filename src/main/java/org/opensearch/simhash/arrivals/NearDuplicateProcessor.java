/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.IngestDocumentWrapper;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.simhash.arrivals.decision.DuplicateRule;
import org.opensearch.simhash.arrivals.decision.Judgement.DocumentResult;
import org.opensearch.simhash.arrivals.round.ArrivedDocuments;

/**
 * The ingest processor {@code near_duplicate}. Compares a document's fingerprint or sketch with the index and with documents accepted
 * lately. Tags, drops or refuses a near-duplicate. Looks documents of a bulk up together. Blocks no thread. Thread-safe.
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
        if (services.cluster()
                .pulls(String.valueOf(document.getSourceAndMetadata().get("_index")))) {
            handler.accept(document, null); // Later it would change what nobody indexes, the fingerprint included.
            return;
        }
        batchExecute(List.of(new IngestDocumentWrapper(0, 0, document, null)), results -> {
            IngestDocumentWrapper result = results.getFirst();
            handler.accept(result.getIngestDocument(), result.getException());
        });
    }

    @Override
    public void batchExecute(List<IngestDocumentWrapper> batch, Consumer<List<IngestDocumentWrapper>> handler) {
        List<IngestDocument> documents = new ArrayList<>();
        batch.forEach(wrapper -> documents.add(wrapper.getException() == null ? wrapper.getIngestDocument() : null));
        new ArrivedDocuments(
                        services.roundServices(),
                        rule,
                        services.settings().criteria(rule),
                        () -> services.scopes(rule.indices()))
                .decide(documents, decisions -> {
                    List<IngestDocumentWrapper> results = new ArrayList<>();
                    for (int i = 0; i < decisions.size(); i++) {
                        results.add(result(batch.get(i), decisions.get(i)));
                    }
                    handler.accept(results);
                });
    }

    @SuppressWarnings("ReferenceEquality") // There is one such decision.
    private static IngestDocumentWrapper result(IngestDocumentWrapper wrapper, DocumentResult decision) {
        if (decision == null || decision == DocumentResult.KEPT) {
            return wrapper;
        }
        boolean goesOn = decision.dropped() == false && decision.failure() == null;
        return new IngestDocumentWrapper(
                wrapper.getSlot(),
                wrapper.getChildSlot(),
                goesOn ? wrapper.getIngestDocument() : null,
                decision.failure());
    }

    /** Where pipelines write which document another one is near. */
    public static Set<String> tags(Metadata metadata) {
        Set<String> tags = new TreeSet<>(Set.of(TYPE));
        IngestMetadata pipelines = metadata.custom(IngestMetadata.TYPE);
        if (pipelines != null) {
            pipelines.getPipelines().values().forEach(pipeline -> addTags(pipeline.getConfigAsMap(), tags));
        }
        return tags;
    }

    private static void addTags(Object typed, Set<String> tags) {
        if (typed instanceof Map<?, ?> options) {
            if (options.get(TYPE) instanceof Map<?, ?> processor
                    && processor.get("target_field") instanceof String tag) {
                tags.add(tag);
            }
            options.values().forEach(inside -> addTags(inside, tags));
        } else if (typed instanceof Collection<?> list) {
            list.forEach(inside -> addTags(inside, tags));
        }
    }
}
