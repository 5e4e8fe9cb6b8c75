/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.lang.Character.UnicodeScript;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The scripts of the languages in {@link LanguageDetector}'s model. Immutable. */
final class ScriptsOfLanguages {

    /**
     * By the model's codes. All other languages use Latin letters. Japanese stands for kana, Chinese for ideographs.
     */
    private static final Map<UnicodeScript, List<String>> NOT_LATIN = Map.ofEntries(
            Map.entry(UnicodeScript.ARABIC, List.of("ara", "fas", "pes", "pnb", "pus", "urd")),
            Map.entry(UnicodeScript.ARMENIAN, List.of("hye")),
            Map.entry(UnicodeScript.BENGALI, List.of("ben")),
            Map.entry(
                    UnicodeScript.CYRILLIC,
                    List.of(
                            "aze", "bak", "bel", "bos", "bul", "che", "kaz", "kir", "mkd", "mon", "rus", "srp", "tat",
                            "tgk", "ukr", "uzb")),
            Map.entry(UnicodeScript.DEVANAGARI, List.of("hin", "mar", "nep", "san")),
            Map.entry(UnicodeScript.GEORGIAN, List.of("kat")),
            Map.entry(UnicodeScript.GREEK, List.of("ell")),
            Map.entry(UnicodeScript.GUJARATI, List.of("guj")),
            Map.entry(UnicodeScript.GURMUKHI, List.of("pan")),
            Map.entry(UnicodeScript.HAN, List.of("cmn")),
            Map.entry(UnicodeScript.HANGUL, List.of("kor")),
            Map.entry(UnicodeScript.HEBREW, List.of("heb")),
            Map.entry(UnicodeScript.HIRAGANA, List.of("jpn")),
            Map.entry(UnicodeScript.KANNADA, List.of("kan")),
            Map.entry(UnicodeScript.MALAYALAM, List.of("mal")),
            Map.entry(UnicodeScript.SINHALA, List.of("sin")),
            Map.entry(UnicodeScript.TAMIL, List.of("tam")),
            Map.entry(UnicodeScript.TELUGU, List.of("tel")),
            Map.entry(UnicodeScript.THAI, List.of("tha")));

    private static final Set<String> ALSO_LATIN = Set.of("aze", "bos", "srp", "uzb");

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

    /** Whether a language uses one of these scripts. */
    static boolean areWritten(String language, Set<UnicodeScript> scripts) {
        Set<UnicodeScript> own = SCRIPTS.get(language);
        return own == null
                ? scripts.contains(UnicodeScript.LATIN)
                : own.stream().anyMatch(scripts::contains);
    }
}
