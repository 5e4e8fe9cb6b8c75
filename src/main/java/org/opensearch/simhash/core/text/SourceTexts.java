/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import java.util.List;
import org.opensearch.simhash.core.language.LanguageCode;

/**
 * The texts of one document that make its fingerprint.
 *
 * @param fields the fields that have texts, in the order of the recipe
 * @param language language code of the document; null if missing or invalid
 */
public record SourceTexts(List<FieldTexts> fields, String language) {

    public SourceTexts {
        language = LanguageCode.isOne(language) ? language : null;
    }

    /** A field with the weight of its features. No shingle spans two values. */
    public record FieldTexts(double weight, List<String> values) {}

    public List<String> values() {
        return fields.stream().flatMap(field -> field.values().stream()).toList();
    }

    public long characters() {
        long sum = 0;
        for (FieldTexts field : fields) {
            for (String value : field.values()) {
                sum += value.length();
            }
        }
        return sum;
    }

    /** One text of unknown language. */
    public static SourceTexts of(String text) {
        return of(text, null);
    }

    public static SourceTexts of(String text, String language) {
        return new SourceTexts(List.of(new FieldTexts(1, List.of(text))), language);
    }
}
