/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.html.MarkupCounts;
import org.opensearch.simhash.desk.check.CheckedIndex;
import org.opensearch.simhash.desk.check.Step;
import org.opensearch.simhash.desk.check.WritingPipeline;

/** Which text a fingerprint is made of: the one with the most characters, if no other has two thirds of them. Keeps counts. */
final class SampledTexts {

    /** A text that has this share of the characters of the largest one has equal right. */
    private static final double EQUAL = 2 / 3.0;

    /** A longer string without a space is data: a picture, a key. */
    private static final int LONGEST_WORD = 200;

    private final Map<String, Long> sizes = new TreeMap<>();
    private final Map<String, MarkupCounts> markup = new TreeMap<>();
    private final Map<String, ShortTexts> lines = new TreeMap<>();
    private final Map<String, Integer> encoded = new TreeMap<>();
    private final Set<String> nested = new TreeSet<>();

    /** Strings that are mapped as something else. */
    private final Set<String> strings = new TreeSet<>();

    private int documents;

    record Choice(List<String> fields, String why) {}

    void add(CheckedIndex index, Map<String, Object> source) {
        documents++;
        collect(index, "", source);
    }

    private void collect(CheckedIndex index, String path, Object value) {
        if (value instanceof Map<?, ?> object) {
            object.forEach((name, inner) -> collect(index, path.isEmpty() ? "" + name : path + "." + name, inner));
        } else if (value instanceof Collection<?> several) {
            several.forEach(one -> collect(index, path, one));
        } else if (value instanceof String text && isProse(text) && isOwn(index, path)) {
            String read = Fingerprinter.withoutEncoded(text).strip();
            encoded.merge(path, read.length() < text.strip().length() ? 1 : 0, Integer::sum);
            if (read.isEmpty()) {
                return;
            }
            if (mayBeText(index, path) == false) {
                strings.add(path);
            } else if (index.nested(path).isPresent()) {
                nested.add(path);
            } else {
                sizes.merge(path, (long) read.length(), Long::sum);
                markup.computeIfAbsent(path, any -> new MarkupCounts()).add(text);
                lines.computeIfAbsent(path, any -> new ShortTexts()).add(text);
            }
        }
    }

    private static boolean isProse(String text) {
        return text.isBlank() == false
                && (text.length() <= LONGEST_WORD
                        || text.chars().anyMatch(letter -> Character.isWhitespace(letter) || letter > 0x7f));
    }

    /** Also a text that the mapping leaves out: a pipeline sees it. */
    private static boolean mayBeText(CheckedIndex index, String path) {
        return index.mapping().definition(path) == null || index.isAnalyzed(path);
    }

    private static boolean isOwn(CheckedIndex index, String path) {
        return path.equals(index.fingerprint()) == false && path.startsWith(index.fingerprint() + ".") == false;
    }

    /** The text of the documents; without documents, the one that the mapping names. */
    Choice choose(List<CheckedIndex> indices) {
        if (documents == 0) {
            return ofMapping(indices);
        }
        if (sizes.isEmpty()) {
            throw refusal(
                    nested.isEmpty()
                            ? "none of " + documents + " documents looked at has a text"
                                    + (strings.isEmpty() ? "" : "; strings that are mapped otherwise are " + strings)
                            : "only nested objects have texts, in " + nested);
        }
        List<String> largest = sizes.keySet().stream()
                .sorted((a, b) -> Long.compare(sizes.get(b), sizes.get(a)))
                .toList();
        long largestSize = sizes.get(largest.getFirst());
        List<String> equal = largest.stream()
                .filter(path -> sizes.get(path) >= EQUAL * largestSize)
                .toList();
        if (equal.size() > 1) {
            String shares = equal.stream()
                    .map(path -> share(path) + " in [" + path + "]")
                    .collect(Collectors.joining(", "));
            throw refusal("several have equal right: of the characters of all texts of " + documents
                    + " documents looked at there are " + shares + "; name one, or a list");
        }
        String why = "[" + largest.getFirst() + "] has " + share(largest.getFirst())
                + " of the characters of all texts in " + documents + " documents looked at"
                + (largest.size() > 1 ? "; the next, [" + largest.get(1) + "], has " + share(largest.get(1)) : "");
        return new Choice(List.of(largest.getFirst()), why);
    }

    private Choice ofMapping(List<CheckedIndex> indices) {
        Set<String> mapped = new TreeSet<>();
        for (CheckedIndex index : indices) {
            for (String path : index.ownTexts()) {
                (index.nested(path).isPresent() ? nested : mapped).add(path);
            }
        }
        List<String> usual =
                WritingPipeline.USUAL_TEXTS.stream().filter(mapped::contains).toList();
        List<String> only = mapped.size() == 1 ? List.copyOf(mapped) : usual;
        if (only.size() == 1) {
            String role =
                    mapped.size() == 1 ? "the only text that is mapped" : "the usual name of a text among " + mapped;
            return new Choice(only, "there are no documents, and " + only + " is " + role);
        }
        throw refusal(
                mapped.isEmpty() == false
                        ? "several have equal right, and there are no documents that tell: " + mapped
                        : nested.isEmpty()
                                ? "there are no documents, and no text is mapped"
                                : "only nested objects have texts, in " + nested);
    }

    /** Of the first of the fields whose texts are HTML. */
    Optional<MarkupCounts> markup(List<String> fields) {
        return fields.stream()
                .map(field -> markup.get(Step.unweighted(field)))
                .filter(counts -> counts != null && counts.suiting() != HtmlExtraction.NONE)
                .findFirst();
    }

    /** Of the only field, if its texts are short. */
    Optional<ShortTexts> lines(List<String> fields) {
        return fields.size() > 1
                ? Optional.empty()
                : Optional.ofNullable(lines.get(Step.unweighted(fields.getFirst())))
                        .filter(ShortTexts::areShort);
    }

    /** What becomes of attachments in the fields; empty without any. */
    String attachments(List<String> fields) {
        int texts = fields.stream()
                .mapToInt(field -> encoded.getOrDefault(Step.unweighted(field), 0))
                .sum();
        return texts == 0
                ? ""
                : "; " + texts + " texts have encoded attachments, each of which is compared as one word";
    }

    private String share(String path) {
        long all = sizes.values().stream().mapToLong(Long::longValue).sum();
        return Math.round(100.0 * sizes.get(path) / all) + " %";
    }

    private static IllegalArgumentException refusal(String obstacle) {
        return new IllegalArgumentException("[field] must name the text field, got: nothing, and " + obstacle);
    }

    /** @throws IllegalArgumentException if it is no text that documents have when a pipeline sees them */
    Choice require(List<String> fields, List<CheckedIndex> indices) {
        for (String field : fields) {
            String path = Step.unweighted(field);
            String rule = "[field] must name a text field, got: " + path + ", ";
            for (CheckedIndex index : indices) {
                Map<?, ?> definition = index.mapping().definition(path);
                Optional<String> around = index.nested(path);
                if (around.isPresent() || (definition != null && "nested".equals(definition.get("type")))) {
                    throw new IllegalArgumentException(
                            rule + "which is in the nested objects of [" + around.orElse(path) + "]");
                }
                if (isOwn(index, path) == false) {
                    throw new IllegalArgumentException(rule + "where the fingerprint is written");
                }
                if (index.mapping().isSubField(path)) {
                    throw new IllegalArgumentException(rule + "which is a sub-field of ["
                            + path.substring(0, path.lastIndexOf('.')) + "]: name that");
                }
                if (definition != null && index.isText(path) == false) {
                    throw new IllegalArgumentException(rule
                            + (index.mapping().isCopiedTo(path)
                                    ? "which [copy_to] fills after the pipelines"
                                    : index.mapping().isObject(path)
                                            ? "which is an object in [" + index.name() + "]"
                                            : "which [" + index.name() + "] maps as [" + definition.get("type") + "]"));
                }
            }
            boolean isMapped =
                    indices.stream().anyMatch(index -> index.mapping().maps(path));
            if (isMapped == false && documents > 0 && sizes.containsKey(path) == false) {
                throw new IllegalArgumentException(
                        rule + "which none of " + documents + " documents looked at has; texts are " + sizes.keySet());
            }
        }
        return new Choice(fields, "the request names " + fields);
    }
}
