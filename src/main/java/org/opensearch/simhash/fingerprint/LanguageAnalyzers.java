/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Map;
import java.util.Optional;
import org.apache.lucene.analysis.Analyzer;

/**
 * The analyzers of a recipe, ready to use.
 *
 * @param fallback for texts of no or an unknown language
 * @param byLanguage by {@link LanguageCode}, as its {@code toString} writes it
 * @param detector finds out a missing language, or null to leave it missing
 */
public record LanguageAnalyzers(Analyzer fallback, Map<String, Analyzer> byLanguage, LanguageDetector detector) {

    /** The analyzer for a text of a document whose language may be missing. */
    Analyzer of(String language, String text) {
        return of(detector == null || LanguageCode.isOne(language) ? language : detector.detect(text));
    }

    /**
     * The analyzer for a language, in any way to write its code ({@link LanguageCode}): that for its script and region, else for
     * the language, else for its macrolanguage, else the fallback.
     *
     * @param language may be null, or no code
     */
    public Analyzer of(String language) {
        if (language == null || byLanguage.isEmpty()) {
            return fallback;
        }
        Analyzer exact = byLanguage.get(language);
        if (exact != null) {
            return exact;
        }
        Optional<LanguageCode> code = LanguageCode.of(language);
        return code.stream()
                .flatMap(known -> known.keys().stream())
                .filter(byLanguage::containsKey)
                .findFirst()
                .map(byLanguage::get)
                .orElse(fallback);
    }
}
