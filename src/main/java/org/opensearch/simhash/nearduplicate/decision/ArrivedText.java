/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.query.TextVerifier;
import org.opensearch.simhash.verify.Verdict;
import org.opensearch.simhash.verify.Verification;

/** The text of an arriving document, compared with others as the query's {@code verify} does. One thread. */
final class ArrivedText {

    private final NodeKnowledge knowledge;
    private final Batch batch;
    private final Arrival arrival;
    private final Map<Long, Double> accepted = new HashMap<>();
    private final IdentityHashMap<Map<String, Object>, Double> stored = new IdentityHashMap<>();
    private TextVerifier verifier;
    private long began;

    /** @param batch with a rule for texts */
    ArrivedText(NodeKnowledge knowledge, Batch batch, Arrival arrival) {
        this.knowledge = knowledge;
        this.batch = batch;
        this.arrival = arrival;
    }

    private Verification verification() {
        return batch.criteria().verification();
    }

    private Fingerprinter maker() {
        return batch.preparing(arrival.name().index(), knowledge.queries())
                .preparing(arrival.fingerprint().target().scheme());
    }

    /** The fields of the text and, if the recipe needs it, of the language. */
    List<String> fields() {
        String text = verification().field();
        Recipe recipe = maker().recipe();
        return recipe.languageField() == null ? List.of(text) : List.of(text, recipe.languageField());
    }

    /**
     * Keeps the text for later documents.
     *
     * @throws IllegalArgumentException if a field holds no text
     */
    void keep() {
        knowledge.texts().put(arrival.number(), arrival.document().getSourceAndMetadata(), fields());
    }

    /** As {@link #similarity(Map)}, with a document of the window; {@code NaN} if its text is unknown. */
    double similarity(long number) {
        Double known = accepted.get(number);
        if (known == null) {
            Map<String, Object> recent = recent(number);
            if (recent == null) {
                return Double.NaN;
            }
            known = compared(recent);
            accepted.put(number, known);
        }
        return known;
    }

    private Map<String, Object> recent(long number) {
        Arrival ofThisRound = batch.arrival(number);
        return ofThisRound == null
                ? knowledge.texts().get(number)
                : ofThisRound.document().getSourceAndMetadata();
    }

    /**
     * Similarity to another text; negative if too low, or without a text.
     *
     * @throws CircuitBreakingException if there is no memory to compare
     * @throws OpenSearchTimeoutException if comparisons exceed the timeout of a lookup
     */
    double similarity(Map<String, Object> other) {
        Double known = stored.get(other);
        if (known == null) {
            known = compared(other);
            stored.put(other, known);
        }
        return known;
    }

    private double compared(Map<String, Object> other) {
        if (verifier == null) {
            String text = DocumentTexts.text(
                    verification().field(), arrival.document().getSourceAndMetadata());
            if (text.isEmpty()) {
                return -1;
            }
            began = System.nanoTime();
            verifier = knowledge.queries().verifier(verification(), text, maker());
        }
        try {
            Verdict verdict = verifier.verify(other, this::checkTime);
            return verdict.isSimilar() ? verdict.similarity() : -1;
        } catch (IllegalArgumentException e) {
            return -1; // no text in the field
        }
    }

    /** A bulk cannot be cancelled, and others wait for the thread. */
    private void checkTime() {
        TimeValue most = batch.timeout();
        if (System.nanoTime() - began > most.nanos()) {
            throw new OpenSearchTimeoutException("texts could not be compared within [" + most + "]");
        }
    }
}
