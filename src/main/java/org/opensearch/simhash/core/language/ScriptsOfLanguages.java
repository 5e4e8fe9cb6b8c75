/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import java.lang.Character.UnicodeScript;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The scripts of languages, by {@link IsoLanguages#canonical} codes. Immutable. */
final class ScriptsOfLanguages {

    /** Of the languages in {@link LanguageDetector}'s model. All others there use Latin letters. Japanese stands for kana, Chinese for ideographs. */
    private static final Map<UnicodeScript, List<String>> NOT_LATIN = Map.ofEntries(
            Map.entry(UnicodeScript.ARABIC, List.of("ar", "fa", "pnb", "ps", "ur")),
            Map.entry(UnicodeScript.ARMENIAN, List.of("hy")),
            Map.entry(UnicodeScript.BENGALI, List.of("bn")),
            Map.entry(
                    UnicodeScript.CYRILLIC,
                    List.of(
                            "az", "ba", "be", "bs", "bg", "ce", "kk", "ky", "mk", "mn", "ru", "sr", "tt", "tg", "uk",
                            "uz")),
            Map.entry(UnicodeScript.DEVANAGARI, List.of("hi", "mr", "ne", "sa")),
            Map.entry(UnicodeScript.GEORGIAN, List.of("ka")),
            Map.entry(UnicodeScript.GREEK, List.of("el")),
            Map.entry(UnicodeScript.GUJARATI, List.of("gu")),
            Map.entry(UnicodeScript.GURMUKHI, List.of("pa")),
            Map.entry(UnicodeScript.HAN, List.of("zh")),
            Map.entry(UnicodeScript.HANGUL, List.of("ko")),
            Map.entry(UnicodeScript.HEBREW, List.of("he")),
            Map.entry(UnicodeScript.HIRAGANA, List.of("ja")),
            Map.entry(UnicodeScript.KANNADA, List.of("kn")),
            Map.entry(UnicodeScript.MALAYALAM, List.of("ml")),
            Map.entry(UnicodeScript.SINHALA, List.of("si")),
            Map.entry(UnicodeScript.TAMIL, List.of("ta")),
            Map.entry(UnicodeScript.TELUGU, List.of("te")),
            Map.entry(UnicodeScript.THAI, List.of("th")));

    private static final Set<String> ALSO_LATIN = Set.of("az", "bs", "sr", "uz");

    private static final Map<UnicodeScript, String> SINGLE = new EnumMap<>(UnicodeScript.class);
    private static final Map<String, Set<UnicodeScript>> SCRIPTS = new HashMap<>();

    static {
        NOT_LATIN.forEach((script, languages) -> {
            if (languages.size() == 1) {
                SINGLE.put(script, languages.getFirst());
            }
            languages.forEach(language -> SCRIPTS.computeIfAbsent(language, any -> EnumSet.noneOf(UnicodeScript.class))
                    .add(script));
        });
        ALSO_LATIN.forEach(language -> SCRIPTS.get(language).add(UnicodeScript.LATIN));
    }

    private ScriptsOfLanguages() {}

    /** Whether each script belongs to a language of the model. */
    static boolean know(Set<UnicodeScript> scripts) {
        return scripts.stream().allMatch(script -> script == UnicodeScript.LATIN || NOT_LATIN.containsKey(script));
    }

    /** The only language of a script; null if there are several or none. */
    static String single(UnicodeScript script) {
        return SINGLE.get(script);
    }

    /** Whether a language uses one of these scripts: as its macrolanguage, if the table does not have it. */
    static boolean areWritten(String language, Set<UnicodeScript> scripts) {
        Set<UnicodeScript> own = SCRIPTS.getOrDefault(language, SCRIPTS.get(IsoLanguages.macrolanguage(language)));
        return own == null
                ? scripts.contains(UnicodeScript.LATIN)
                : own.stream().anyMatch(scripts::contains);
    }
}
