/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.simhash.quality.DataSet.Kind;

/** Reads the data sets of texts, those that are there; one {@link DataSet} for each language of a set. */
final class TextSets {

    /** Sets of short texts are cut here: all pairs are compared. */
    private static final int MOST_SHORT_TEXTS = 3000;

    private static final double UNKNOWN = Double.NaN;
    /** First part of a language variant such as {@code eng-US}, and its code. */
    private static final Map<String, String> CODES =
            Map.of("eng", "en", "zho", "zh", "deu", "de", "fra", "fr", "spa", "es", "rus", "ru", "jpn", "ja");

    private final DataSets data;
    private final List<String> missing = new ArrayList<>();

    TextSets(DataSets data) {
        this.data = data;
    }

    List<DataSet> read() {
        List<DataSet> sets = new ArrayList<>();
        ifThere(sets, "en_revisions_iterater", this::revisions);
        ifThere(sets, "ml_astro_docs", this::documentation);
        ifThere(sets, "ml_controlled_edits", this::news);
        ifThere(sets, "ml_more_languages", this::moreLanguages);
        ifThere(sets, "zh_lctt", () -> documents("zh_lctt", "zh", "docs", "text", "pairs"));
        ifThere(sets, "zh_laws", () -> documents("zh_laws", "zh", "docs", "text", "pairs"));
        ifThere(sets, "de_laws", () -> documents("de_laws", "de", "docs", "text", "pairs"));
        ifThere(
                sets,
                "html_kafka_versions",
                () -> documents("html_kafka_versions", "en", "pages", "visible_text", "pairs"));
        ifThere(sets, "zh_poem_editions", this::poems);
        ifThere(sets, "zh_question_bank", this::questions);
        ifThere(sets, "en_question_trivia", this::trivia);
        ifThere(sets, "load_astro", this::load);
        ifThere(sets, "load_poems_zh", this::loadOfPoems);
        return sets;
    }

    private void ifThere(List<DataSet> sets, String name, Reader reader) {
        if (data.has(name)) {
            sets.addAll(reader.read());
        } else {
            missing.add(name);
        }
    }

    /** The data sets that were not there to be read. */
    List<String> missing() {
        return missing;
    }

    private interface Reader {
        List<DataSet> read();
    }

    private List<DataSet> documents(String name, String language, String docs, String field, String pairs) {
        DataSetBuilder set = new DataSetBuilder(name, language, Kind.DOCUMENTS);
        for (Map<String, Object> line : data.read(name, docs + ".jsonl")) {
            set.document(text(line, "doc_id"), text(line, "cluster"), text(line, field));
        }
        for (Map<String, Object> line : data.read(name, pairs + ".jsonl")) {
            set.pair(text(line, "a"), text(line, "b"), label(line, "label"), jaccard(line));
        }
        return List.of(set.build());
    }

    private List<DataSet> revisions() {
        String name = "en_revisions_iterater";
        DataSetBuilder set = new DataSetBuilder(name, "en", Kind.DOCUMENTS);
        for (Map<String, Object> line : data.read(name, "pairs.jsonl")) {
            String group = text(line, "cluster");
            // Texts are their own ids: the version after one edit is the one before the next.
            int a = set.document(text(line, "text_a"), group, text(line, "text_a"));
            int b = set.document(text(line, "text_b"), group, text(line, "text_b"));
            set.pair(a, b, label(line, "label"), jaccard(line));
        }
        return List.of(set.build());
    }

    private List<DataSet> documentation() {
        String name = "ml_astro_docs";
        Languages sets = new Languages(name, Kind.DOCUMENTS);
        for (Map<String, Object> line : data.read(name, "docs_sample.jsonl")) {
            sets.of(text(line, "lang")).document(text(line, "doc_id"), text(line, "cluster"), text(line, "text"));
        }
        for (Map<String, Object> line : data.read(name, "pairs_sample.jsonl")) {
            sets.of(text(line, "lang")).pair(text(line, "a"), text(line, "b"), label(line, "label"), jaccard(line));
        }
        return sets.build();
    }

    /** News in several languages and variants, and edits of them: one set a language. */
    private List<DataSet> news() {
        Languages sets = new Languages("ml_controlled_edits", Kind.DOCUMENTS);
        for (Map<String, Object> line : data.read("ml_ntrex_news", "docs.jsonl")) {
            sets.of(code(text(line, "lang"))).document(text(line, "doc_id"), text(line, "group"), text(line, "text"));
        }
        for (Map<String, Object> line : data.read("ml_ntrex_news", "pairs_variants.jsonl")) {
            sets.of(code(text(line, "variant"))).pair(text(line, "a"), text(line, "b"), null, jaccard(line));
        }
        for (Map<String, Object> line : data.read("ml_controlled_edits", "edits.jsonl")) {
            DataSetBuilder set = sets.of(text(line, "lang"));
            String base = text(line, "base");
            set.document(text(line, "pair_id"), base.split("/", -1)[1], text(line, "text"));
            set.pair(base, text(line, "pair_id"), null, jaccard(line));
        }
        return sets.build();
    }

    /**
     * Texts of four sources in languages that the other sets lack: one set a source and language. Where words are not set apart by
     * spaces the stated similarity of words is one of phrases: of Thai, Khmer, Lao and Burmese the stated one of characters
     * counts, of Chinese that of characters as words.
     */
    private List<DataSet> moreLanguages() {
        String name = "ml_more_languages";
        Map<String, DataSetBuilder> sets = new LinkedHashMap<>();
        Map<String, String> sources = new TreeMap<>();
        for (Map<String, Object> line : data.read(name, "docs_sample.jsonl")) {
            String language = text(line, "lang");
            String source = text(line, "doc_id").split("_", 2)[0];
            sources.put(text(line, "doc_id"), source + language);
            sets.computeIfAbsent(
                            source + language,
                            unused -> new DataSetBuilder(
                                    name + " " + source, language, source.equals("tldr") ? Kind.SHORT : Kind.DOCUMENTS))
                    .document(text(line, "doc_id"), text(line, "cluster"), text(line, "text"));
        }
        for (Map<String, Object> line : data.read(name, "pairs_sample.jsonl")) {
            String language = text(line, "lang");
            double jaccard = language.equals("zh")
                    ? UNKNOWN
                    : jaccard(line, DataSet.comparesCharacters(language) ? "c5_jaccard" : "w3_jaccard");
            sets.get(sources.get(text(line, "a")))
                    .pair(text(line, "a"), text(line, "b"), label(line, "label"), jaccard);
        }
        return sets.values().stream().map(DataSetBuilder::build).toList();
    }

    private List<DataSet> poems() {
        String name = "zh_poem_editions";
        DataSetBuilder set = new DataSetBuilder(name, "zh", Kind.SHORT);
        for (Map<String, Object> line : first(data.read(name, "pairs.jsonl"))) {
            String[] poems = text(line, "pair_id").split("-", -1);
            // Where an edition has a poem twice, pairs share one of their two documents.
            String group = set.group(poems[1]).orElse(poems[0]);
            int a = set.document(poems[0], group, text(line, "text_a"));
            int b = set.document(poems[1], group, text(line, "text_b"));
            set.pair(a, b, label(line, "label"), UNKNOWN);
        }
        return List.of(set.build());
    }

    /** Questions with their natural pairs; and the same with controlled edits. Label: the outcome of the bank's own rule. */
    private List<DataSet> questions() {
        String name = "zh_question_bank";
        DataSetBuilder natural = new DataSetBuilder(name, "zh", Kind.SHORT);
        for (Map<String, Object> line : data.read(name, "questions.jsonl")) {
            natural.document(text(line, "qid"), text(line, "qid"), text(line, "text"));
        }
        for (Map<String, Object> line : data.read(name, "natural_pairs.jsonl")) {
            String[] questions = text(line, "pair_id").split("-", -1);
            natural.pair(questions[0], questions[1], label(line, "dup_rule"), UNKNOWN);
        }
        DataSetBuilder edits = new DataSetBuilder("zh_question_edits", "zh", Kind.SHORT);
        for (Map<String, Object> line : first(data.read(name, "edits.jsonl"))) {
            String base = text(line, "base");
            int a = edits.document(base, base, text(line, "text_a"));
            int b = edits.document(text(line, "pair_id"), base, text(line, "text_b"));
            edits.pair(a, b, label(line, "dup_rule"), UNKNOWN);
        }
        return List.of(natural.build(), edits.build());
    }

    /** Repeats are pairs of equal texts, but for case and white space. */
    private List<DataSet> trivia() {
        String name = "en_question_trivia";
        DataSetBuilder set = new DataSetBuilder(name, "en", Kind.SHORT);
        Map<String, Integer> first = new TreeMap<>();
        for (Map<String, Object> line : first(data.read(name, "questions.jsonl"))) {
            String normalised = String.join(
                    " ", text(line, "text").strip().toLowerCase(Locale.ROOT).split("\\s+", -1));
            int number = set.document(text(line, "qid"), normalised, text(line, "text"));
            Integer earlier = first.putIfAbsent(normalised, number);
            if (earlier != null) {
                set.pair(earlier, number, true, 1);
            }
        }
        return List.of(set.build());
    }

    private List<DataSet> load() {
        Languages sets = new Languages("load_astro", Kind.LOAD);
        for (Map<String, Object> line : data.read("load_astro", "docs.jsonl")) {
            sets.of(text(line, "lang")).document(text(line, "doc_id"), text(line, "cluster"), text(line, "text"));
        }
        return sets.build();
    }

    private List<DataSet> loadOfPoems() {
        String name = "load_poems_zh";
        DataSetBuilder set = new DataSetBuilder(name, "zh", Kind.SHORT);
        for (Map<String, Object> line : first(data.read(name, "docs.jsonl"))) {
            set.document(text(line, "doc_id"), text(line, "doc_id"), text(line, "text"));
        }
        return List.of(set.build());
    }

    private static List<Map<String, Object>> first(List<Map<String, Object>> lines) {
        return lines.subList(0, Math.min(lines.size(), MOST_SHORT_TEXTS));
    }

    private static String code(String variant) {
        return CODES.get(variant.substring(0, 3));
    }

    private static String text(Map<String, Object> line, String key) {
        return (String) line.get(key);
    }

    private static Boolean label(Map<String, Object> line, String key) {
        return line.get(key) == null ? null : ((Number) line.get(key)).intValue() == 1;
    }

    private static double jaccard(Map<String, Object> line) {
        return jaccard(line, "w3_jaccard");
    }

    private static double jaccard(Map<String, Object> line, String measure) {
        return line.get(measure) instanceof Number number ? number.doubleValue() : UNKNOWN;
    }

    /** One set for each language, in the order in which they appear. */
    private record Languages(String name, Kind kind, Map<String, DataSetBuilder> sets) {

        Languages(String name, Kind kind) {
            this(name, kind, new LinkedHashMap<>());
        }

        DataSetBuilder of(String language) {
            return sets.computeIfAbsent(language, code -> new DataSetBuilder(name, code, kind));
        }

        List<DataSet> build() {
            return sets.values().stream().map(DataSetBuilder::build).toList();
        }
    }
}
