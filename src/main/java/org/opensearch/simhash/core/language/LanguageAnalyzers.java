/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import java.util.Map;
import org.apache.lucene.analysis.Analyzer;

/**
 * The analyzers of a recipe: for texts without a known language, and by language as {@link LanguageCode} writes it.
 * Without a detector a missing language stays unknown.
 */
public record LanguageAnalyzers(Analyzer fallback, Map<String, Analyzer> byLanguage, LanguageDetector detector) {

    /** @param language may be null */
    public Analyzer of(String language, String text) {
        return detector == null || LanguageCode.isOne(language)
                ? of(language)
                : detector.elected(text, byLanguage.keySet(), this::of);
    }

    /** The analyzer for a language code, by script and region, then by language, then by macrolanguage; else the fallback. */
    public Analyzer of(String language) {
        if (language == null || byLanguage.isEmpty()) {
            return fallback;
        }
        Analyzer exact = byLanguage.get(language);
        if (exact != null) {
            return exact;
        }
        return LanguageCode.of(language).stream()
                .flatMap(known -> known.keys().stream())
                .filter(byLanguage::containsKey)
                .findFirst()
                .map(byLanguage::get)
                .orElse(fallback);
    }
}
