/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.verify.TextComparison;
import org.opensearch.simhash.verify.Verdict;
import org.opensearch.simhash.verify.Verification;

/**
 * Compares the query's text with the texts of candidates, both prepared by the recipe of the index. A candidate's language
 * decides which analyzer makes the tokens of both: only texts cut alike can be compared. The query's text is prepared once
 * for each analyzer. Thread-safe; equal when it gives equal verdicts.
 */
public final class TextVerifier {

    private final Verification verification;
    private final String text;
    private final Fingerprinter fingerprinter;
    private final String prepared;
    private final Map<Analyzer, TextComparison> comparisons = new ConcurrentHashMap<>();

    /** @param text as the user gave it or as it is stored */
    public TextVerifier(Verification verification, String text, Fingerprinter fingerprinter) {
        this.verification = verification;
        this.text = text;
        this.fingerprinter = fingerprinter;
        this.prepared = fingerprinter.prepare(text);
    }

    /** Path of the text in a document. */
    String field() {
        return verification.field();
    }

    /**
     * Compares with a document.
     *
     * @param document as parsed from JSON
     * @param checkCancelled is run now and then during a long comparison; what it throws ends it
     */
    public Verdict verify(Map<String, Object> document, Runnable checkCancelled) {
        return verify(DocumentTexts.text(field(), document), document, checkCancelled);
    }

    /** As the other, with a text that need not stand in the document: that tells the language. */
    Verdict verify(String documentText, Map<String, Object> document, Runnable checkCancelled) {
        String candidate = fingerprinter.prepare(documentText);
        String language = DocumentTexts.language(fingerprinter.recipe(), document);
        Analyzer analyzer = fingerprinter.analyzer(language, candidate);
        return comparisons
                .computeIfAbsent(analyzer, a -> new TextComparison(verification, a, prepared))
                .compare(candidate, checkCancelled);
    }

    /** Not by scheme: recipes of one scheme may read the language elsewhere. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TextVerifier verifier
                && verification.equals(verifier.verification)
                && text.equals(verifier.text)
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
