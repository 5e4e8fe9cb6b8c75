/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.language.LanguageCode;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;

/** Finds the texts that a recipe reads in a document. */
public final class DocumentTexts {

    private DocumentTexts() {}

    /**
     * The texts of a document; empty if the recipe's fields are missing or null.
     *
     * @throws IllegalArgumentException if a field holds an object
     */
    public static Optional<SourceTexts> read(Recipe recipe, Map<String, Object> document) {
        List<FieldTexts> fields = new ArrayList<>();
        for (Recipe.WeightedField field : recipe.fields()) {
            List<String> values = values(field.path(), document);
            if (values.isEmpty() == false) {
                fields.add(new FieldTexts(field.weight(), values));
            }
        }
        return fields.isEmpty() ? Optional.empty() : Optional.of(new SourceTexts(fields, language(recipe, document)));
    }

    /** Like {@link #read}; also empty if a field holds an object. */
    public static Optional<SourceTexts> readable(Recipe recipe, Map<String, Object> document) {
        try {
            return read(recipe, document);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public static List<String> paths(Recipe recipe) {
        List<String> paths = new ArrayList<>(
                recipe.fields().stream().map(Recipe.WeightedField::path).toList());
        if (recipe.languageField() != null) {
            paths.add(recipe.languageField());
        }
        return paths;
    }

    /** Whether a field has a value, even an empty text. */
    public static boolean has(String path, Map<String, Object> document) {
        return values(path, document).isEmpty() == false;
    }

    /** All values of a field, one per line; empty if there is none. */
    public static String text(String path, Map<String, Object> document) {
        return String.join("\n", values(path, document));
    }

    /** Like {@link #text} for a stored document, without objects; null if there is no text. */
    public static String storedText(String path, Map<String, Object> document) {
        List<String> values = storedValues(path, document);
        return values.isEmpty() ? null : String.join("\n", values);
    }

    /** What a fingerprint is made of, by the first recipe that finds a text; null if none does. */
    public static String storedText(List<Fingerprinter> makers, Map<String, Object> document) {
        for (Fingerprinter maker : makers) {
            String text = storedText(maker.recipe(), document);
            if (text != null) {
                return text;
            }
        }
        return null;
    }

    /** Like {@link #storedText}, all fields of a recipe, in its order. */
    public static String storedText(Recipe recipe, Map<String, Object> document) {
        List<String> values = recipe.fields().stream()
                .flatMap(field -> storedValues(field.path(), document).stream())
                .toList();
        return values.isEmpty() ? null : String.join("\n", values);
    }

    /** The language of a stored document, without objects. */
    public static String storedLanguage(Recipe recipe, Map<String, Object> document) {
        return recipe.languageField() == null ? null : first(storedValues(recipe.languageField(), document));
    }

    /** The same by the first recipe that finds one. */
    public static String storedLanguage(List<Fingerprinter> makers, Map<String, Object> document) {
        return makers.stream()
                .map(maker -> storedLanguage(maker.recipe(), document))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static List<String> storedValues(String path, Map<String, Object> document) {
        return texts(path, document, other -> other instanceof Map ? null : other.toString());
    }

    /** The values of a field as texts: strings, numbers, booleans, elements of arrays. Nulls are dropped. The list is mutable. */
    public static List<String> values(String path, Map<String, Object> document) {
        return texts(path, document, other -> {
            throw refusal(path, other);
        });
    }

    /** @param noText converts a value of another type to a text or null */
    private static List<String> texts(String path, Map<String, Object> document, Function<Object, String> noText) {
        List<String> texts = new ArrayList<>();
        for (Object value : DocumentValues.at(path, document)) {
            String text = switch (value) {
                case String string -> string;
                case Number number -> number.toString();
                case Boolean flag -> flag.toString();
                default -> noText.apply(value);
            };
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** The document's language by the recipe; null if missing or invalid. */
    private static String language(Recipe recipe, Map<String, Object> document) {
        return recipe.languageField() == null ? null : first(values(recipe.languageField(), document));
    }

    private static String first(List<String> languages) {
        return languages.stream().filter(LanguageCode::isOne).findFirst().orElse(null);
    }

    private static IllegalArgumentException refusal(String path, Object value) {
        return new IllegalArgumentException(
                "field [" + path + "] must hold text, numbers, booleans or arrays of these, got: "
                        + (value instanceof Map ? "an object" : value.getClass().getSimpleName()));
    }
}
