/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.language.LanguageCode;

/** The analyzers of a recipe by {@link LanguageCode}: the user's, and one for words that no blank parts. */
final class BuiltInLanguages {

    /**
     * It finds words and leaves them as they are. Analyzers that change the form of words part near texts of which one
     * is taken for another language.
     */
    private static final Map<String, String> DEFAULTS = Map.of("zh", "smartcn");

    /** More than have a code of two letters. Each may have an analyzer of its own. */
    private static final int MOST_ANALYZERS = 200;

    private BuiltInLanguages() {}

    /**
     * The defaults, overridden by the user's entries. Keys are as {@link LanguageCode} writes them.
     *
     * @param entries may be null
     * @throws IllegalArgumentException for an invalid language code or analyzer
     */
    static Map<String, Object> mergedWith(Map<String, Object> entries) {
        Map<String, Object> merged = new HashMap<>(DEFAULTS);
        if (entries != null) {
            TypedNumber.requireAtMost("[analyzers]", MOST_ANALYZERS, "languages", entries.size());
            Set<String> given = new HashSet<>();
            entries.forEach((code, analyzer) -> {
                String language = canonical(code);
                if (given.add(language) == false) {
                    throw new IllegalArgumentException(
                            "[analyzers] must map a language once, got: " + entries.keySet());
                }
                merged.put(language, requireAnalyzer(code, analyzer));
            });
        }
        return merged;
    }

    private static String canonical(String code) {
        return LanguageCode.of(code)
                .map(LanguageCode::toString)
                .orElseThrow(() -> new IllegalArgumentException(
                        "[analyzers] must map ISO 639 language codes to analyzers, got: " + code));
    }

    private static Object requireAnalyzer(String code, Object analyzer) {
        if (analyzer == null) {
            throw new IllegalArgumentException("[analyzers." + code + "] must name an analyzer, got: null");
        }
        return analyzer;
    }
}
