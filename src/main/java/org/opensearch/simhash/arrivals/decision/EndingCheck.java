/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.arrivals.ending.Ending;
import org.opensearch.simhash.arrivals.ending.Ending.Looked;
import org.opensearch.simhash.arrivals.ending.Obstacle;
import org.opensearch.simhash.arrivals.lookup.StoredDocuments;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.ingest.PreparingRecipes;

/**
 * What keeps an arriving document from ending for a stored one: both texts are looked at, in that moment, not only what
 * is stored of their fingerprints. Remembers what it saw. One thread.
 */
class EndingCheck {

    private final EndRule rule;
    private final NodeKnowledge knowledge;
    private final StoredDocuments stored;
    private final Batch batch;
    private final Arrival arrival;
    private final LongConsumer memory;
    private final IdentityHashMap<Map<String, Object>, Optional<Obstacle>> seen =
            new IdentityHashMap<>(ArrivedText.FEW);
    private Freshness own;
    private long nanos;

    EndingCheck(NodeKnowledge knowledge, StoredDocuments stored, Batch batch, Arrival arrival, LongConsumer memory) {
        this.rule = batch.ending();
        this.knowledge = knowledge;
        this.stored = stored;
        this.batch = batch;
        this.arrival = arrival;
        this.memory = memory;
    }

    Freshness own() {
        if (own == null) {
            own = freshness(document(), arrival.name().index(), memory);
        }
        return own;
    }

    private Map<String, Object> document() {
        return arrival.document().getSourceAndMetadata();
    }

    /** The fields of a stored document that are looked at. */
    Set<String> fields() {
        return recipes(arrival.name().index()).textFields();
    }

    private PreparingRecipes recipes(String index) {
        return batch.preparing(index, knowledge.queries());
    }

    /** Whether the fingerprint of a stored document is not that of its text. */
    boolean isStale(DocumentName original) {
        Freshness found = freshness(original);
        return found.isFresh() == false && found.state() != Freshness.State.NOT_OF_TEXT;
    }

    /** @throws OpenSearchTimeoutException if this document's looks exceed the timeout of a lookup */
    private Freshness freshness(DocumentName original) {
        return stored.freshness(original, source -> {
            long began = System.nanoTime() - nanos;
            Freshness found = freshness(source, original.index(), bytes -> {
                if (bytes > 0) {
                    batch.requireTime(began);
                }
                memory.accept(bytes);
            });
            nanos = System.nanoTime() - began;
            batch.requireTime(began);
            return found;
        });
    }

    private Freshness freshness(Map<String, Object> document, String index, LongConsumer account) {
        Freshness ofCopy = own == null
                ? null
                : Freshness.ofCopy(
                        batch.rule().kind(), batch.rule().field(), document, recipes(index), own, document());
        return ofCopy != null
                ? ofCopy
                : Freshness.of(batch.rule().kind(), batch.rule().field(), document, recipes(index), account);
    }

    /** A stored document that was looked at; null if it cannot be read. */
    Map<String, Object> source(DocumentName original) {
        return stored.source(original);
    }

    /** Null if the document may end for a stored one. */
    Obstacle obstacle(DocumentName original) {
        Map<String, Object> found = stored.source(original);
        if (found == null) {
            return Obstacle.UNREADABLE;
        }
        return seen.computeIfAbsent(found, source -> Optional.ofNullable(look(source, original)))
                .orElse(null);
    }

    /** The document's own text first: it is looked at once, for all originals. */
    private Obstacle look(Map<String, Object> original, DocumentName name) {
        Obstacle ofOwn = rule.ofDocument(own().state());
        if (ofOwn != null) {
            return ofOwn;
        }
        Looked document = looked(arrival.name(), document(), own());
        Looked other = looked(name, original, freshness(name));
        long began = System.nanoTime();
        try (Ending ending = new Ending(rule, other, memory, () -> batch.requireTime(began))) {
            return ending.obstacle(document, true);
        }
    }

    private Looked looked(DocumentName name, Map<String, Object> source, Freshness freshness) {
        Verification verification = rule.criteria().verification();
        String field = verification == null ? null : verification.field();
        return new Looked(
                name,
                source,
                freshness.state(),
                freshness.maker(),
                field == null ? null : DocumentTexts.storedText(field, source));
    }
}
