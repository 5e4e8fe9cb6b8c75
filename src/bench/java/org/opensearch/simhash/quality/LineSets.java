/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.StrictCharacters;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.core.verify.Verification;

/**
 * Questions and facts as {@code config/} finds and decides them: the sets {@code zh_question_bank}, by the bank's own rule, and {@code
 * en_question_trivia}, with edits made here. {@code target/java -Dsimhash.data=FOLDER org.opensearch.simhash.quality.LineSets}; a minute.
 */
public final class LineSets {

    private static final double LEAST = 0.4;
    private static final double ALIKE = 0.7;
    private static final int EVERY = 5;

    private static final Verification QUESTIONS =
            new Verification("text", Measure.LCS, 3, 0.8, new StrictCharacters("[0-9A-Za-z+\\-*/=×÷<>%]"));
    private static final Verification FACTS = new Verification("text", Measure.FACTS, 3, 1, null);

    private static final Map<String, UnaryOperator<String>> EDITS = Map.of(
            "capitals", text -> text.toUpperCase(Locale.ROOT),
            "small letters", text -> text.toLowerCase(Locale.ROOT),
            "more spaces", text -> text.replace(" ", "  ") + " ",
            "another full stop", text -> text + " .",
            "no articles", text -> text.replaceAll("\\b(the|a|an|The|A|An) ", ""),
            "no punctuation", text -> text.replaceAll("[?.!,;:\"]", ""));

    private final Fingerprinter maker = new Fingerprinter(
            new Recipe(
                    List.of(new Recipe.WeightedField("text", 1)),
                    HtmlExtraction.TEXT,
                    ContentWords.NAME,
                    null,
                    false,
                    Map.of(),
                    1,
                    1,
                    Weighting.LOG_TF,
                    HashFunction.XXH3,
                    Map.of(),
                    new SegmentLayout(4),
                    1,
                    BandLayout.DEFAULT,
                    null,
                    Boilerplate.NONE),
            new LanguageAnalyzers(ContentWords.of(null), Map.of(), null));

    private LineSets() {}

    /** @param args none */
    public static void main(String[] args) throws IOException {
        Path data = Path.of(System.getProperty("simhash.data"));
        LineSets sets = new LineSets();
        sets.bank(data.resolve("zh_question_bank"));
        sets.trivia(data.resolve("en_question_trivia"));
    }

    private static List<Map<String, Object>> rows(Path file) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            rows.add(XContentHelper.convertToMap(JsonXContent.jsonXContent, line, false));
        }
        return rows;
    }

    private boolean areFound(String a, String b, Verification verification) {
        Optional<Sketch> first = sketch(a);
        Optional<Sketch> second = sketch(b);
        if (first.isEmpty() || second.isEmpty()) {
            return false;
        }
        Set<String> bands = new HashSet<>(List.of(BandLayout.DEFAULT.terms(first.get())));
        bands.retainAll(List.of(BandLayout.DEFAULT.terms(second.get())));
        int agreeing = first.get().agreeing(second.get());
        return bands.isEmpty() == false
                && Sketch.similarity(agreeing, BandLayout.DEFAULT_PERMUTATIONS) >= LEAST
                && new TextComparison(verification, ContentWords.of(null), TokenWeights.EQUAL, maker.prepare(a, bytes -> {}), bytes -> {}, () -> {})
                        .compare(maker.prepare(b, bytes -> {}), bytes -> {}, () -> {})
                        .isSimilar();
    }

    private Optional<Sketch> sketch(String text) {
        return maker.sketch(SourceTexts.of(text), bytes -> {}).sketch();
    }

    private void bank(Path folder) throws IOException {
        int found = 0;
        int wrong = 0;
        int missed = 0;
        for (String file : List.of("natural_pairs.jsonl", "edits.jsonl")) {
            for (Map<String, Object> pair : rows(folder.resolve(file))) {
                boolean isDuplicate = pair.get("dup_rule").equals(1);
                boolean isFound = areFound((String) pair.get("text_a"), (String) pair.get("text_b"), QUESTIONS);
                found += isFound && isDuplicate ? 1 : 0;
                wrong += isFound && isDuplicate == false ? 1 : 0;
                missed += isFound == false && isDuplicate ? 1 : 0;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "question bank: recall %.4f, precision %.4f of %d duplicates%n",
                found / (double) (found + missed),
                found / (double) (found + wrong),
                found + missed);
    }

    private void trivia(Path folder) throws IOException {
        List<Map<String, Object>> rows = rows(folder.resolve("questions.jsonl"));
        Map<String, List<Integer>> byWord = new HashMap<>();
        List<Set<String>> words = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            Set<String> own = new HashSet<>();
            var line = new ContentWords.Line((String) row.get("text"));
            ContentWords.of("en").words(line).getFirst().forEach(word -> own.add(word.stem()));
            own.forEach(word -> byWord.computeIfAbsent(word, any -> new ArrayList<>())
                    .add(words.size()));
            words.add(own);
        }
        int near = 0;
        int taken = 0;
        int repeats = 0;
        int repeatsFound = 0;
        for (int i = 0; i < rows.size(); i++) {
            Set<Integer> others = new HashSet<>();
            words.get(i).stream()
                    .map(byWord::get)
                    .filter(some -> some.size() < rows.size() / EVERY)
                    .forEach(others::addAll);
            for (int j : others) {
                Set<String> shared = new HashSet<>(words.get(i));
                shared.retainAll(words.get(j));
                int all = words.get(i).size() + words.get(j).size() - shared.size();
                if (j <= i || shared.size() < ALIKE * all) {
                    continue;
                }
                String a = (String) rows.get(i).get("text");
                String b = (String) rows.get(j).get("text");
                boolean isFound = areFound(a, b, FACTS);
                if (a.equals(b)) {
                    repeats++;
                    repeatsFound += isFound ? 1 : 0;
                } else if (rows.get(i).get("answer").equals(rows.get(j).get("answer")) == false) {
                    near++;
                    taken += isFound ? 1 : 0;
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "trivia: %d of %d repeats; of %d near pairs with another answer %d taken%n",
                repeatsFound,
                repeats,
                near,
                taken);
        EDITS.forEach((name, edit) -> {
            int found = 0;
            int tried = 0;
            for (int i = 0; i < rows.size(); i += EVERY) {
                String text = (String) rows.get(i).get("text");
                tried++;
                found += areFound(text, edit.apply(text), FACTS) ? 1 : 0;
            }
            System.out.printf(Locale.ROOT, "trivia, %s: %.4f%n", name, found / (double) tried);
        });
    }
}
