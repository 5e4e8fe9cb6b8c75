/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The codes of ISO 639, their synonyms and macrolanguages. Java's table lacks languages without a two-letter code, and
 * differs between releases. Immutable.
 */
final class IsoLanguages {

    private static final String TABLE = "languages.txt";
    private static final int LETTERS = 26;
    private static final int LONGEST = 3;

    /** One bit for each word of up to three letters; strings would take half a megabyte. */
    private static final BitSet CODES = new BitSet();

    private static final Map<String, String> CANONICAL;
    private static final Map<String, String> MACROLANGUAGES;

    static {
        Map<String, String> canonical = new HashMap<>();
        Map<String, String> macrolanguages = new HashMap<>();
        read(canonical, macrolanguages);
        CANONICAL = Map.copyOf(canonical);
        MACROLANGUAGES = Map.copyOf(macrolanguages);
    }

    private IsoLanguages() {}

    /** Whether a word is a code of two or three lowercase letters, or for local use ({@code qaa} to {@code qtz}). */
    static boolean isCode(String word) {
        int index = index(word);
        return index >= 0 && (CODES.get(index) || isForLocalUse(word));
    }

    /** The preferred code of a language: two letters where they exist. */
    static String canonical(String code) {
        return CANONICAL.getOrDefault(code, code);
    }

    /** The macrolanguage of a language, or null; both canonical. */
    static String macrolanguage(String code) {
        return MACROLANGUAGES.get(code);
    }

    private static boolean isForLocalUse(String word) {
        return word.length() == LONGEST && word.charAt(0) == 'q' && word.charAt(1) <= 't';
    }

    private static int index(String word) {
        if (word.length() < LONGEST - 1 || word.length() > LONGEST) {
            return -1;
        }
        int index = 0;
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c < 'a' || c > 'z') {
                return -1;
            }
            index = index * (LETTERS + 1) + c - 'a' + 1;
        }
        return index;
    }

    private static void read(Map<String, String> canonical, Map<String, String> macrolanguages) {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(IsoLanguages.class.getResourceAsStream(TABLE), StandardCharsets.US_ASCII))) {
            BiConsumer<String, String> section = (first, other) -> {};
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("[")) {
                    section = switch (line) {
                        case "[same]" -> (first, other) -> canonical.put(other, first);
                        case "[part]" -> (first, other) -> macrolanguages.put(other, first);
                        default -> (first, other) -> {};
                    };
                } else if (line.startsWith("#") == false) {
                    String[] codes = line.split(" ", -1);
                    CODES.set(index(codes[0]));
                    for (int i = 1; i < codes.length; i++) {
                        CODES.set(index(codes[i]));
                        section.accept(codes[0], codes[i]);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the table of languages cannot be read", e);
        }
    }
}
