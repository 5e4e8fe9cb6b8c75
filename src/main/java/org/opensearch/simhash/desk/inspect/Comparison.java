/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.search.ingest.HashMakers;
import org.opensearch.simhash.search.ingest.PipelineRecipes;

/** Compares two loaded texts, by fingerprint, digest and every measure of similarity. One thread of the helpers. */
record Comparison(PipelineRecipes recipes, CompareAction.Request request, Set<String> indices, HelperWork work) {

    /** Compares hashes if one is given or the pipeline makes some, else texts. */
    JsonResponse of(InspectedText a, InspectedText b) {
        RecipeChoice choice = request.recipe();
        HashMakers makers = choice.config() == null
                ? recipes.hashing(choice.pipeline(), request.field, indices)
                : HashMakers.none(request.field);
        if (makers.isEmpty() == false || a.isHash() || b.isHash()) {
            return new HashComparison(this, makers).of(a, b);
        }
        Fingerprinter fingerprinter = reading(a, b);
        return of(fingerprinter, a.sourceTexts(fingerprinter), b.sourceTexts(fingerprinter));
    }

    Fingerprinter reading(InspectedText... texts) {
        return RecipeChoice.reading(request.recipe().resolve(recipes, request.field, indices), texts);
    }

    private JsonResponse of(Fingerprinter fingerprinter, SourceTexts a, SourceTexts b) {
        Fingerprint fingerprintA = fingerprinter.fingerprint(a, work);
        Fingerprint fingerprintB = fingerprinter.fingerprint(b, work);
        boolean sameDigest = fingerprintA.digest().equals(fingerprintB.digest());
        List<Integer> bits = differingBits(fingerprintA, fingerprintB, sameDigest);
        Map<String, Object> sketches = sketches(fingerprinter.sketching(), a, b);
        Map<Measure, Verdict> verdicts = verdicts(fingerprinter, a, b, work, work::check);
        Map<String, Object> similarity = new LinkedHashMap<>();
        verdicts.forEach((measure, verdict) -> {
            double value = verdict.similarity(); // NaN if the texts are too large for it
            similarity.put(measure.toString().toLowerCase(Locale.ROOT), Double.isNaN(value) ? null : value);
        });
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("distance", bits == null ? null : bits.size());
        answer.put("differing_bits", bits);
        answer.put("same_digest", sameDigest);
        answer.put("minhash", sketches);
        answer.put("similarity", similarity);
        answer.put("differs", verdicts.get(Measure.FACTS).differences());
        return new JsonResponse(answer);
    }

    /** The comparison of the sketches; null if a text is too short for one. */
    private Map<String, Object> sketches(Fingerprinter sketcher, SourceTexts a, SourceTexts b) {
        Sketch left = sketcher.sketch(a, work).sketch().orElse(null);
        Sketch right = sketcher.sketch(b, work).sketch().orElse(null);
        if (left == null || right == null) {
            return null;
        }
        BandLayout layout = sketcher.recipe().bandLayout();
        double jaccard = Sketch.similarity(left.agreeing(right), layout.permutations());
        Set<String> bands = new HashSet<>(List.of(layout.terms(left)));
        bands.retainAll(List.of(layout.terms(right)));
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("similarity", jaccard);
        found.put("containment", Sketch.containment(jaccard, left.size(), right.size()));
        found.put("equal_bands", bands.size());
        found.put("bands", layout.bands());
        return found;
    }

    /** Empty for equal digests. Else null if a text is too short for a fingerprint. */
    private static List<Integer> differingBits(Fingerprint a, Fingerprint b, boolean sameDigest) {
        if (a.bits().isPresent() && b.bits().isPresent()) {
            return Fingerprint.differingBits(a.bits().getAsLong(), b.bits().getAsLong());
        }
        return sameDigest ? List.of() : null;
    }

    /** The exact similarity of two texts by every measure, one after the other; NaN for texts that are too large. */
    static Map<Measure, Verdict> verdicts(
            Fingerprinter fingerprinter, SourceTexts a, SourceTexts b, LongConsumer memory, Runnable checkCancelled) {
        try (Account account = new Account(memory)) {
            String textA = prepared(fingerprinter, a, account);
            String textB = prepared(fingerprinter, b, account);
            // Like verification, which uses the analyzer of the examined document for both.
            Analyzer analyzer = fingerprinter.analyzer(b.language(), textB);
            Map<Measure, Verdict> verdicts = new EnumMap<>(Measure.class);
            for (Measure measure : Measure.values()) {
                checkCancelled.run();
                // A minimum of 0 makes every similarity exact.
                Verification exact = new Verification(
                        FingerprintFields.DEFAULT_OBJECT, measure, Verification.DEFAULT_SHINGLE_SIZE, 0, null);
                try (Account ofMeasure = new Account(memory)) {
                    Verdict verdict = new TextComparison(
                                    exact,
                                    measure == Measure.FACTS ? ContentWords.of(a.language(), b.language()) : analyzer,
                                    fingerprinter::factor,
                                    textA,
                                    ofMeasure,
                                    checkCancelled)
                            .compare(textB, ofMeasure, checkCancelled);
                    if (verdict.outcome() == Verdict.Outcome.UNREADABLE) {
                        throw new IllegalArgumentException(
                                "[b] must be a text that the analyzer can read, got: one on which it fails");
                    }
                    verdicts.put(measure, verdict);
                }
            }
            return verdicts;
        }
    }

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
