/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The same text in another normal form, case or spelling, with and without its optional marks. */
final class Writings {

    private static final Set<String> CASED =
            Set.of("en", "de", "fr", "es", "ru", "uk", "pl", "cs", "it", "ca", "el", "tr", "vi");

    private Writings() {}

    static Stream<Variant> of(VariantText text) {
        return Stream.of(normalForms(text), cases(text), marks(text), spellings(text))
                .flatMap(variants -> variants);
    }

    private static Stream<Variant> normalForms(VariantText text) {
        return Stream.concat(
                Arrays.stream(Form.values())
                        .map(form -> text.same("normal forms", form.name(), Normalizer.normalize(text.text(), form))),
                Stream.of(text.same("normal forms", "full-width", fullWidth(text.text()))));
    }

    private static String fullWidth(String text) {
        return text.chars()
                .mapToObj(c -> Character.toString(c == ' ' ? '\u3000' : c > ' ' && c < 0x7F ? c + 0xFEE0 : c))
                .collect(Collectors.joining());
    }

    private static Stream<Variant> cases(VariantText text) {
        if (CASED.contains(text.language()) == false) {
            return Stream.empty();
        }
        Locale locale = Locale.of(text.language());
        return Stream.of(
                text.same("case", "capitals", text.text().toUpperCase(locale)),
                text.same("case", "lower case", text.text().toLowerCase(locale)),
                text.same("case", "capitals of no language", text.text().toUpperCase(Locale.ROOT)));
    }

    private static Stream<Variant> marks(VariantText text) {
        if (text.has("marked")) {
            VariantText marked = text.with(text.entry("marked"));
            return Stream.of(
                    spelled(marked, "marks", "left out", withoutMarks(marked.text())),
                    spelled(marked, "marks", "left out of some words", ofSomeWords(marked.text())));
        }
        if (CASED.contains(text.language()) == false) {
            return Stream.empty();
        }
        return Stream.of(
                spelled(text, "marks", "left out", withoutMarks(text.text())),
                spelled(text, "marks", "left out of some words", ofSomeWords(text.text())),
                text.variant(
                        "marks",
                        "left out of capitals",
                        withoutMarks(text.text().toUpperCase(Locale.of(text.language()))),
                        Claim.SAME_FEATURES));
    }

    private static Variant spelled(VariantText text, String kind, String form, String variant) {
        return text.variant(kind, form, variant, Claim.OTHER_SPELLING);
    }

    /** Strokes are marks that Unicode takes for a part of the letter. */
    private static String withoutMarks(String text) {
        String bare = Normalizer.normalize(text, Form.NFD)
                .replaceAll("\\p{Mn}", "")
                .replace('đ', 'd')
                .replace('Đ', 'D')
                .replace('ł', 'l')
                .replace('Ł', 'L');
        return Normalizer.normalize(bare, Form.NFC);
    }

    private static String ofSomeWords(String text) {
        String[] words = text.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            words[i] = withoutMarks(words[i]);
        }
        return String.join(" ", words);
    }

    private static Stream<Variant> spellings(VariantText text) {
        return text.entries().entrySet().stream().flatMap(entry -> {
            String[] name = entry.getKey().replace('_', ' ').split("\\.", 2);
            Claim claim = claim(name[0]);
            return claim == null
                    ? Stream.empty()
                    : Stream.of(text.variant(
                            kind(claim, name[1]), name[1], replaced(text.text(), entry.getValue()), claim));
        });
    }

    /** What is not claimed has a line of its own in the report. */
    private static String kind(Claim claim, String name) {
        return switch (claim) {
            case NONE -> name;
            case OTHER_TEXT -> "other text: " + name;
            default -> "spelling";
        };
    }

    private static Claim claim(String prefix) {
        return switch (prefix) {
            case "spelling" -> Claim.OTHER_SPELLING;
            case "glyphs" -> Claim.SAME_TEXT;
            case "bits" -> Claim.SAME_FEATURES;
            case "reported" -> Claim.NONE;
            case "other" -> Claim.OTHER_TEXT;
            default -> null;
        };
    }

    private static String replaced(String text, String replacements) {
        String replaced = text;
        for (String replacement : replacements.split("\\|", -1)) {
            String[] fromTo = replacement.split(">", 2);
            replaced = replaced.replace(fromTo[0], fromTo[1]);
        }
        return replaced;
    }
}
