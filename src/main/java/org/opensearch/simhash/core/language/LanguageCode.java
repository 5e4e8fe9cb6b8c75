/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An ISO 639-1, 639-2 or 639-3 code in any case, with or without script and region. {@code de}, {@code DEU},
 * {@code ger} and {@code de_DE} are the same language; so are {@code nb}, {@code nn} and {@code no}. Immutable.
 *
 * @param language two lowercase letters, or three where no two exist. A macrolanguage and its main language
 *     ({@code zh}, {@code cmn}) have the same code
 * @param script four lowercase letters, or empty
 * @param region two lowercase letters, three digits, or empty
 */
public record LanguageCode(String language, String script, String region) {

    private static final int MOST_CHARACTERS = 100;

    private static final Pattern SUBTAG = Pattern.compile("[a-z0-9]{1,8}");
    private static final Pattern EXTENDED_LANGUAGE = Pattern.compile("[a-z]{3}");
    private static final Pattern SCRIPT = Pattern.compile("[a-z]{4}");
    private static final Pattern REGION = Pattern.compile("[a-z]{2}|[0-9]{3}");

    /** Encoding or variant of a POSIX locale: {@code de_DE.UTF-8}, {@code de_DE@euro}. */
    private static final Pattern POSIX = Pattern.compile("[.@].*");

    /** Reads a code. Empty for null, {@code german}, {@code xx} and the unknown language {@code und}. */
    public static Optional<LanguageCode> of(String typed) {
        if (typed == null || typed.length() > MOST_CHARACTERS) {
            return Optional.empty();
        }
        String tag = POSIX.matcher(typed.strip().toLowerCase(Locale.ROOT)).replaceFirst("");
        String[] subtags = tag.replace('_', '-').split("-", -1);
        for (String subtag : subtags) {
            if (SUBTAG.matcher(subtag).matches() == false) {
                return Optional.empty();
            }
        }
        return IsoLanguages.isCode(subtags[0])
                ? Optional.of(of(IsoLanguages.canonical(subtags[0]), subtags))
                : Optional.empty();
    }

    public static boolean isOne(String typed) {
        return of(typed).isPresent();
    }

    private static LanguageCode of(String language, String[] subtags) {
        int next = 1;
        while (next < subtags.length && EXTENDED_LANGUAGE.matcher(subtags[next]).matches()) {
            next++;
        }
        String script = "";
        if (next < subtags.length && SCRIPT.matcher(subtags[next]).matches()) {
            script = subtags[next++];
        }
        boolean hasRegion =
                next < subtags.length && REGION.matcher(subtags[next]).matches();
        return new LanguageCode(language, script, hasRegion ? subtags[next] : "");
    }

    /**
     * The keys to look up, most specific first: {@code zh-hant-tw}, {@code zh-hant}, {@code zh-tw}, {@code zh}. The
     * keys of the macrolanguage follow: {@code yue}, {@code zh}.
     */
    public List<String> keys() {
        List<String> keys = new ArrayList<>();
        addKeys(language, keys);
        String macrolanguage = IsoLanguages.macrolanguage(language);
        if (macrolanguage != null) {
            addKeys(macrolanguage, keys);
        }
        return keys;
    }

    private void addKeys(String code, List<String> keys) {
        if (script.isEmpty() == false && region.isEmpty() == false) {
            keys.add(code + "-" + script + "-" + region);
        }
        if (script.isEmpty() == false) {
            keys.add(code + "-" + script);
        }
        if (region.isEmpty() == false) {
            keys.add(code + "-" + region);
        }
        keys.add(code);
    }

    /** The first of the {@link #keys}. All spellings of a code share it. */
    @Override
    public String toString() {
        return keys().getFirst();
    }
}
