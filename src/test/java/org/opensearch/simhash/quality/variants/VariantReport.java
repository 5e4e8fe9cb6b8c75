/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.quality.NodeProcessors;
import org.opensearch.simhash.quality.Table;
import org.opensearch.simhash.search.ingest.TextProcessor;

/** Median and worst distance of each kind of variant in every language that has it, as a Markdown table. */
public final class VariantReport {

    private VariantReport() {}

    /** Prints the table of the committed texts, and what does not hold of them. */
    public static void main(String[] arguments) throws IOException {
        Path project = Path.of(System.getProperty("project.basedir", "."));
        try (NodeProcessors node = new NodeProcessors(project.resolve("target"))) {
            System.out.println(report(VariantText.all(), node.create(Map.of())));
        }
    }

    static Stream<Variant> variants(VariantText text) {
        return Stream.of(Quotes.of(text), Writings.of(text), Spaces.of(text), Additions.of(text))
                .flatMap(variants -> variants)
                .filter(Variant::isAnotherText);
    }

    private static String report(List<VariantText> texts, TextProcessor processor) {
        Map<String, Map<String, List<Integer>>> distances = new LinkedHashMap<>();
        List<String> languages =
                texts.stream().map(VariantText::language).distinct().toList();
        Map<String, Map<String, List<String>>> broken = new TreeMap<>();
        texts.stream()
                .flatMap(VariantReport::variants)
                .map(variant -> Outcome.of(variant, processor))
                .forEachOrdered(outcome -> {
                    distances
                            .computeIfAbsent(outcome.variant().kind(), kind -> new LinkedHashMap<>())
                            .computeIfAbsent(outcome.variant().language(), language -> new ArrayList<>())
                            .add(outcome.distance());
                    outcome.broken()
                            .ifPresent(what -> broken.computeIfAbsent(
                                            outcome.variant().kind(), kind -> new TreeMap<>())
                                    .computeIfAbsent(outcome.variant().language(), language -> new ArrayList<>())
                                    .add(what));
                });
        List<String> header = new ArrayList<>(List.of("median / worst distance"));
        header.addAll(languages);
        Table table = new Table(header);
        distances.forEach((kind, byLanguage) -> table.row(
                kind,
                languages.stream()
                        .map(language -> cell(byLanguage.getOrDefault(language, List.of())))
                        .toArray()));
        broken.forEach((kind, byLanguage) -> byLanguage.forEach(
                (language, lines) -> System.out.println(lines.size() + " broken, the first: " + lines.getFirst())));
        return table + claims(broken);
    }

    private static String claims(Map<String, Map<String, List<String>>> broken) {
        if (broken.isEmpty()) {
            return "All that is claimed of these holds.\n\n";
        }
        StringBuilder claims = new StringBuilder("What is claimed does not hold of:\n\n");
        broken.forEach((kind, byLanguage) -> claims.append("- ")
                .append(kind)
                .append(": ")
                .append(byLanguage.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue().size())
                        .collect(Collectors.joining(", ")))
                .append('\n'));
        return claims.append('\n').toString();
    }

    private static String cell(List<Integer> distances) {
        if (distances.isEmpty()) {
            return "";
        }
        List<Integer> sorted = distances.stream().sorted().toList();
        int median = sorted.get((sorted.size() - 1) / 2);
        return median == sorted.getLast() ? Integer.toString(median) : median + " / " + sorted.getLast();
    }
}
