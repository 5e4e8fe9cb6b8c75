/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Locale;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;

/**
 * The analyzers of a recipe, ready to use.
 *
 * @param fallback for texts of no or an unknown language
 * @param byLanguage by lowercase language code
 * @param detector finds out a missing language, or null to leave it missing
 */
public record LanguageAnalyzers(Analyzer fallback, Map<String, Analyzer> byLanguage, LanguageDetector detector) {

    /** The analyzer for a text of a document whose language may be missing. */
    Analyzer of(String language, String text) {
        return of(language == null && detector != null ? detector.detect(text) : language);
    }

    /**
     * The analyzer for a language code, in any case and with or without a region: {@code zh}, {@code zh-CN},
     * {@code pt_BR}. A code with its region is looked up first, then without.
     *
     * @param language may be null
     */
    public Analyzer of(String language) {
        if (language == null || byLanguage.isEmpty()) {
            return fallback;
        }
        String code = language.strip().toLowerCase(Locale.ROOT).replace('_', '-');
        Analyzer exact = byLanguage.get(code);
        if (exact != null) {
            return exact;
        }
        int region = code.indexOf('-');
        return region < 0 ? fallback : byLanguage.getOrDefault(code.substring(0, region), fallback);
    }
}
