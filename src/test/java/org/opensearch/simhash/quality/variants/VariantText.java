/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A text in one language, and what the variants of it are made from.
 *
 * @param language ISO 639-1 code
 * @param text to vary
 * @param entries of the language's file, which {@code src/test/resources/variants/README.md} explains
 */
record VariantText(String language, String text, Map<String, String> entries) {

    private static final List<String> LANGUAGES = List.of(
            "en", "zh", "de", "fr", "es", "ru", "ja", "ko", "tr", "ar", "hi", "vi", "pl", "th", "km", "lo", "my", "fa",
            "he", "uk", "cs", "it", "ca", "el");

    /** The committed texts, one for each language. */
    static List<VariantText> all() {
        return LANGUAGES.stream().map(VariantText::of).toList();
    }

    private static VariantText of(String language) {
        String file = "/variants/" + language + ".properties";
        Properties properties = new Properties();
        try (var reader = new InputStreamReader(VariantText.class.getResourceAsStream(file), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("reading [" + file + "]", e);
        }
        Map<String, String> entries = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> entries.put(name, properties.getProperty(name)));
        return new VariantText(language, entries.get("text"), entries);
    }

    /** The same language, another text. */
    VariantText with(String other) {
        return new VariantText(language, other, entries);
    }

    boolean has(String name) {
        return entries.containsKey(name);
    }

    String entry(String name) {
        return entries.get(name);
    }

    Variant same(String kind, String form, String variant) {
        return variant(kind, form, variant, Claim.SAME_TEXT);
    }

    Variant reported(String kind, String variant) {
        return variant(kind, "", variant, Claim.NONE);
    }

    Variant variant(String kind, String form, String variant, Claim claim) {
        return new Variant(language, kind, form, text, variant, claim);
    }
}
