/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Folding;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.fingerprint.SourceTexts.FieldTexts;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.verify.Measure;
import org.opensearch.simhash.verify.TextComparison;
import org.opensearch.simhash.verify.TokenWeights;
import org.opensearch.simhash.verify.Verdict;
import org.opensearch.simhash.verify.Verification;

/**
 * The exact similarity of two texts by every measure. Measures run one after the other, so the peak memory is that of
 * the largest.
 */
record Similarities(
        Folding folding, Analyzer analyzer, TokenWeights weights, LongConsumer memory, Runnable checkCancelled) {

    /**
     * The similarity by measure; NaN for texts that are too large.
     *
     * @param memory accounts for the bytes; all are given back
     * @param checkCancelled called regularly; it may throw to end the comparison
     */
    static Map<Measure, Double> of(
            Fingerprinter fingerprinter, SourceTexts a, SourceTexts b, LongConsumer memory, Runnable checkCancelled) {
        try (Account account = new Account(memory)) {
            String textA = prepared(fingerprinter, a, account);
            String textB = prepared(fingerprinter, b, account);
            // Like verification, which uses the analyzer of the examined document for both.
            Analyzer analyzer = fingerprinter.analyzer(b.language(), textB);
            Similarities similarities =
                    new Similarities(fingerprinter.folding(), analyzer, fingerprinter::factor, memory, checkCancelled);
            Map<Measure, Double> similarity = new EnumMap<>(Measure.class);
            for (Measure measure : Measure.values()) {
                checkCancelled.run();
                similarity.put(measure, similarities.similarity(measure, textA, textB));
            }
            return similarity;
        }
    }

    private double similarity(Measure measure, String a, String b) {
        try (Account account = new Account(memory)) {
            Verdict verdict = comparison(measure, a, account).compare(b, account, checkCancelled);
            if (verdict.outcome() == Verdict.Outcome.UNREADABLE) {
                throw new IllegalArgumentException(
                        "[b] must be a text that the analyzer can read, got: one on which it fails");
            }
            return verdict.similarity();
        }
    }

    private TextComparison comparison(Measure measure, String text, Account account) {
        // A minimum of 0 makes every similarity exact.
        Verification exact =
                new Verification(FingerprintFields.DEFAULT_OBJECT, measure, Verification.DEFAULT_SHINGLE_SIZE, 0, null);
        return new TextComparison(exact, folding, analyzer, weights, text, account, checkCancelled);
    }

    /** All values of all fields, one per line. */
    private static String prepared(Fingerprinter fingerprinter, SourceTexts texts, Account account) {
        List<String> values = new ArrayList<>();
        long characters = 0;
        for (FieldTexts field : texts.fields()) {
            for (String value : field.values()) {
                String prepared = fingerprinter.prepare(value, account);
                values.add(prepared);
                characters += prepared.length() + 1L;
            }
        }
        if (values.size() == 1) {
            return values.getFirst();
        }
        account.take(Character.BYTES * characters);
        return String.join("\n", values);
    }
}
