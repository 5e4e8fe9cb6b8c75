/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.PreparingRecipes;
import org.opensearch.simhash.search.match.PassageRule.PassageComparisons;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.query.TextVerifier;

/** The text of an arriving document, compared with others as the query's {@code verify} does. One thread. */
final class ArrivedText {

    /** Candidates of most documents. A round has tens of thousands of documents. */
    static final int FEW = 2;

    private final NodeKnowledge knowledge;
    private final Batch batch;
    private final Arrival arrival;
    private final EndingCheck freshness;
    private final Map<Long, Double> accepted = new HashMap<>(FEW);
    private final IdentityHashMap<Map<String, Object>, Double> stored = new IdentityHashMap<>(FEW);
    private TextVerifier verifier;
    /** When the comparison of passages began that is under way. */
    private long began;
    /** What the comparisons of texts took. */
    private long nanos;
    /** Of {@link #passages}. */
    private final Account kept;

    /** Null before the first one is compared. */
    private PassageComparisons passages;

    private Fingerprinter maker;
    private boolean isMakerKnown;

    /** @param batch with a rule for texts */
    ArrivedText(NodeKnowledge knowledge, Batch batch, Arrival arrival, EndingCheck freshness) {
        this.knowledge = knowledge;
        this.batch = batch;
        this.arrival = arrival;
        this.freshness = freshness;
        this.kept = new Account(knowledge.queries().memory());
    }

    private Verification verification() {
        return batch.criteria().verification();
    }

    private PreparingRecipes recipes() {
        return batch.preparing(arrival.name().index(), knowledge.queries());
    }

    private List<Fingerprinter> makers() {
        return recipes().makers(arrival.print().scheme());
    }

    /** The recipe that prepares the text; null if no field is named, and no recipe of the scheme finds a text. */
    private Fingerprinter maker() {
        if (verification().field() != null) {
            return recipes().preparing(arrival.print().scheme());
        }
        if (isMakerKnown == false) {
            maker = findMaker();
            isMakerKnown = true;
        }
        return maker;
    }

    /** Recipes of one scheme may read different fields. */
    private Fingerprinter findMaker() {
        Map<String, Object> document = arrival.document().getSourceAndMetadata();
        List<Fingerprinter> found = makers().stream()
                .filter(one -> DocumentTexts.storedText(one.recipe(), document) != null)
                .toList();
        boolean isUnclear =
                found.stream().map(one -> one.recipe().fields()).distinct().count() > 1;
        Fingerprinter fresh = isUnclear ? freshness.own().maker() : null;
        return fresh != null || found.isEmpty() ? fresh : found.getFirst();
    }

    /** The fields of the text and, if the recipe needs it, of the language. */
    Collection<String> fields() {
        Fingerprinter preparing = maker();
        if (preparing == null) {
            return List.of();
        }
        if (verification().field() == null) {
            return DocumentTexts.paths(preparing.recipe());
        }
        String text = verification().field();
        String language = preparing.recipe().languageField();
        return language == null ? List.of(text) : List.of(text, language);
    }

    /** The text; empty if there is none. */
    String text() {
        Map<String, Object> document = arrival.document().getSourceAndMetadata();
        if (verification().field() != null) {
            return DocumentTexts.text(verification().field(), document);
        }
        return maker() == null ? "" : DocumentTexts.storedText(maker().recipe(), document);
    }

    String language() {
        return DocumentTexts.storedLanguage(maker().recipe(), arrival.document().getSourceAndMetadata());
    }

    /** The texts whose passages are looked for; null if there are none. */
    PassageTarget target() {
        return maker() == null ? null : new PassageTarget(texts(), maker().scheme());
    }

    private SourceTexts texts() {
        return DocumentTexts.readable(maker().recipe(), arrival.document().getSourceAndMetadata())
                .orElseThrow();
    }

    /** Keeps the text for later documents. */
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
            known = similarity(recent);
            accepted.put(number, known);
        }
        return known;
    }

    private Map<String, Object> recent(long number) {
        Map<String, Object> kept = knowledge.texts().get(number); // one for all equal texts
        Arrival ofThisRound = kept == null ? batch.arrival(number) : null;
        return ofThisRound == null ? kept : ofThisRound.document().getSourceAndMetadata();
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
        if (batch.criteria().passages() != null) {
            return maker() == null ? -1 : share(other);
        }
        Verdict verdict = verdict(other);
        return verdict.isSimilar() ? verdict.similarity() : -1;
    }

    private Verdict verdict(Map<String, Object> other) {
        if (verifier == null) {
            String text = text();
            if (text.isEmpty()) {
                return Verdict.NO_TEXT;
            }
            // Other documents may have a text for each recipe of the scheme: that of the same field is compared first.
            List<Fingerprinter> makers =
                    Stream.concat(Stream.of(maker()), makers().stream()).toList();
            verifier = knowledge.queries().verifier(verification(), text, language(), maker(), makers);
        }
        long began = System.nanoTime() - nanos;
        try {
            return verifier.verify(other, () -> batch.requireTime(began));
        } catch (IllegalArgumentException e) {
            return Verdict.NO_TEXT;
        } finally {
            nanos = System.nanoTime() - began;
        }
    }

    /** Which words of two facts are not the same, for people; empty if no facts are compared. */
    String differences(Map<String, Object> original) {
        if (verification().measure() != Measure.FACTS) {
            return "";
        }
        nanos = 0;
        return verdict(original).differing();
    }

    /** Costs the analysis of the other text. */
    private double share(Map<String, Object> other) {
        try (Account account = new Account(knowledge.queries().memory())) {
            began = System.nanoTime();
            if (passages == null) {
                passages = new PassageComparisons(
                        batch.criteria().passages(), maker().cut(texts(), kept), kept, () -> batch.requireTime(began));
            }
            Optional<SourceTexts> texts = DocumentTexts.readable(maker().recipe(), other);
            return texts.isEmpty() ? -1 : passages.share(maker().cut(texts.get(), account));
        } catch (UnreadableTextException e) {
            return -1;
        }
    }

    void close() {
        kept.close();
    }
}
