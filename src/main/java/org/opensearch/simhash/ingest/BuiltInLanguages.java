/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.fingerprint.LanguageCode;

/** The default analyzer of each language, by {@link LanguageCode}. */
final class BuiltInLanguages {

    private static final Map<String, Object> ANALYZERS = Map.ofEntries(
            Map.entry("ar", "arabic"),
            Map.entry("bg", "bulgarian"),
            Map.entry("bn", "bengali"),
            Map.entry("ca", "catalan"),
            Map.entry("cs", "czech"),
            Map.entry("da", "danish"),
            Map.entry("de", "german"),
            Map.entry("el", "greek"),
            Map.entry("en", "english"),
            Map.entry("es", "spanish"),
            Map.entry("et", "estonian"),
            Map.entry("eu", "basque"),
            Map.entry("fa", "persian"),
            Map.entry("fi", "finnish"),
            Map.entry("fr", "french"),
            Map.entry("ga", "irish"),
            Map.entry("gl", "galician"),
            Map.entry("hi", "hindi"),
            Map.entry("hu", "hungarian"),
            Map.entry("hy", "armenian"),
            Map.entry("id", "indonesian"),
            Map.entry("it", "italian"),
            Map.entry("ja", "cjk"),
            Map.entry("ko", "cjk"),
            Map.entry("lt", "lithuanian"),
            Map.entry("lv", "latvian"),
            Map.entry("nl", "dutch"),
            Map.entry("no", "norwegian"),
            Map.entry("pt", "portuguese"),
            Map.entry("ro", "romanian"),
            Map.entry("ru", "russian"),
            Map.entry("sv", "swedish"),
            Map.entry("th", "thai"),
            Map.entry("tr", "turkish"),
            Map.entry("zh", "smartcn"));

    private BuiltInLanguages() {}

    /**
     * The defaults, overridden by the user's entries. Keys are as {@link LanguageCode} writes them.
     *
     * @param entries may be null
     * @throws IllegalArgumentException for an invalid language code or analyzer
     */
    static Map<String, Object> mergedWith(Map<String, Object> entries) {
        Map<String, Object> merged = new HashMap<>(ANALYZERS);
        if (entries != null) {
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
