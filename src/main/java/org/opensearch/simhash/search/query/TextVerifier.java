/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.text.UnreadableTextException;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.query.SearchMemories.SearchMemory;

/**
 * Compares the query's text with the texts of candidates. The language of a candidate chooses the analyzer for both, because only texts cut
 * alike can be compared. The query's text is prepared once per analyzer. Thread-safe. Verifiers are equal if they give equal verdicts.
 */
public final class TextVerifier {

    private final Verification verification;
    private final String text;
    private final String language;
    private final Fingerprinter fingerprinter;
    /** Recipes whose fields are read, in this order; empty if the verification names a field. */
    private final List<Fingerprinter> makers;

    private final TokenWeights weights;
    private final LongConsumer memory;
    private final SearchMemory kept;
    private final Durations times;
    private final Map<Analyzer, Prepared> comparisons = new ConcurrentHashMap<>();
    private TextVerifier exact;

    /**
     * @param text normalised, without markup
     * @param comparison null if the analyzer fails on the text
     * @param bytes that are on the account until the search is over
     */
    private record Prepared(String text, TextComparison comparison, long bytes) {}

    /**
     * @param text as the user typed it or as it is stored
     * @param language of the text, for facts; null if it is unknown
     * @param makers recipes of the fingerprints, for a verification without field: the first that finds a text counts
     * @param weights of words
     * @param kept accounts for the prepared text until the search is over
     * @param times records how long each comparison takes
     */
    TextVerifier(
            Verification verification,
            String text,
            String language,
            Fingerprinter fingerprinter,
            List<Fingerprinter> makers,
            TokenWeights weights,
            LongConsumer memory,
            SearchMemory kept,
            Durations times) {
        this.makers = verification.field() == null ? List.copyOf(makers) : List.of();
        this.weights = weights;
        this.verification = verification;
        this.text = text;
        this.language = language;
        this.fingerprinter = fingerprinter;
        this.memory = memory;
        this.kept = kept;
        this.times = times;
    }

    /** A copy without minimum, which tells low similarities, too. */
    synchronized TextVerifier exact() {
        if (exact == null) {
            Verification any = verification.withMinSimilarity(0);
            exact = new TextVerifier(any, text, language, fingerprinter, makers, weights, memory, kept, times);
        }
        return exact;
    }

    double minSimilarity() {
        return verification.minSimilarity();
    }

    /** The text of a document; null if there is none. */
    String textOf(Map<String, Object> document) {
        return verification.field() == null
                ? DocumentTexts.storedText(makers, document)
                : DocumentTexts.storedText(verification.field(), document);
    }

    /** @param document parsed from JSON */
    public Verdict verify(Map<String, Object> document, Runnable checkCancelled) {
        return verify(textOf(document), document, checkCancelled);
    }

    /**
     * @param documentText may come from elsewhere than the document; null if there is none
     * @param document tells the language
     */
    Verdict verify(String documentText, Map<String, Object> document, Runnable checkCancelled) {
        if (documentText == null) {
            return Verdict.NO_TEXT; // an empty text is another case
        }
        long start = System.nanoTime();
        try (Account account = new Account(memory)) {
            if (documentText.equals(text)) {
                return Verdict.EQUAL; // in any language; most duplicates are copies
            }
            String candidate = fingerprinter.prepare(documentText, account);
            String other = DocumentTexts.storedLanguage(fingerprinter.recipe(), document);
            Analyzer words = verification.measure() == Measure.FACTS
                    ? ContentWords.of(language, other)
                    : fingerprinter.analyzer(other, candidate);
            Prepared prepared = comparisons.computeIfAbsent(words, analyzer -> prepare(analyzer, checkCancelled));
            if (prepared.comparison == null) {
                return prepared.text.equals(candidate) ? Verdict.EQUAL : Verdict.UNREADABLE;
            }
            account.take(prepared.comparison.bytes() - prepared.bytes);
            return prepared.comparison.compare(candidate, account, checkCancelled);
        } finally {
            times.record(System.nanoTime() - start);
        }
    }

    private Prepared prepare(Analyzer analyzer, Runnable checkCancelled) {
        try (Account account = new Account(memory)) {
            String prepared = fingerprinter.prepare(text, account);
            TextComparison comparison = comparison(analyzer, prepared, account, checkCancelled);
            long bytes = comparison == null ? (long) Character.BYTES * prepared.length() : comparison.bytes();
            return new Prepared(prepared, comparison, kept.keep(bytes) ? bytes : 0);
        }
    }

    private TextComparison comparison(
            Analyzer analyzer, String prepared, LongConsumer account, Runnable checkCancelled) {
        try {
            return new TextComparison(verification, analyzer, weights, prepared, account, checkCancelled);
        } catch (UnreadableTextException e) {
            return null; // only for this language; other candidates are still compared
        }
    }

    /** Compares recipes, not schemes: recipes of one scheme may read the language from different fields. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TextVerifier verifier
                && verification.equals(verifier.verification)
                && text.equals(verifier.text)
                && Objects.equals(language, verifier.language)
                && makers.equals(verifier.makers)
                && fingerprinter.recipe().equals(verifier.fingerprinter.recipe());
    }

    @Override
    public int hashCode() {
        return Objects.hash(verification, text, fingerprinter.scheme());
    }

    @Override
    public String toString() {
        return verification.toString();
    }
}
