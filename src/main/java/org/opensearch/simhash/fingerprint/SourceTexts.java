/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.List;

/**
 * The texts of one document that make its fingerprint.
 *
 * @param fields the texts of each field that has any, in the order of the recipe
 * @param language code of the document's language, or null; what is no code, is null
 */
public record SourceTexts(List<FieldTexts> fields, String language) {

    public SourceTexts {
        language = LanguageCode.isOne(language) ? language : null;
    }

    /**
     * The values of one field.
     *
     * @param weight how much each feature counts
     * @param values one text each: no shingle spans two of them
     */
    public record FieldTexts(double weight, List<String> values) {}

    /** A text that stands for a whole document, of no known language. */
    public static SourceTexts of(String text) {
        return of(text, null);
    }

    /** A text that stands for a whole document. */
    public static SourceTexts of(String text, String language) {
        return new SourceTexts(List.of(new FieldTexts(1, List.of(text))), language);
    }
}
