/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether the texts of a field are lines, and then how they are best found and decided: as questions, or as facts. */
final class ShortTexts {

    /** Words of the longer half of them. */
    private static final int MOST_WORDS = 30;

    /** Fewer texts say nothing. */
    private static final int LEAST = 5;

    private static final double LEAST_ESTIMATE = 0.4;
    private static final String OPERATORS = "[0-9A-Za-z+\\-*/=×÷<>%]";

    private final List<Integer> words = new ArrayList<>();
    private int questions;

    /** Two ideographs are about a word. */
    void add(String text) {
        long ideographs = text.codePoints().filter(Character::isIdeographic).count();
        words.add((int) (text.strip().split("\\s+", -1).length + ideographs / 2));
        questions += text.indexOf('?') >= 0 || text.indexOf('？') >= 0 ? 1 : 0;
    }

    private int median() {
        return words.stream().sorted().skip(words.size() / 2).findFirst().orElse(Integer.MAX_VALUE);
    }

    boolean areShort() {
        return words.size() >= LEAST && median() <= MOST_WORDS;
    }

    private boolean areQuestions() {
        return 2 * questions > words.size();
    }

    /** How two of them are compared. */
    Map<String, Object> verify(String field) {
        return areQuestions()
                ? Map.of("field", field, "measure", "lcs", "min_similarity", 0.8, "strict_characters", OPERATORS)
                : Map.of("field", field, "measure", "facts");
    }

    /** Options beside {@code sketch} that jobs and {@code near_duplicate} get. */
    Map<String, Object> comparing(String field) {
        return Map.of("min_similarity", LEAST_ESTIMATE, "verify", verify(field));
    }

    /** What to send for them, and why. */
    Map<String, Object> proposal(String field) {
        Map<String, Object> proposal = new LinkedHashMap<>();
        proposal.put("recipe", areQuestions() ? "pipeline-questions.json" : "pipeline-facts.json");
        proposal.put(
                "why",
                "half of the texts in [" + field + "] have at most " + median() + " words, and "
                        + (areQuestions()
                                ? "most are questions: numbers, letters and operators must be equal"
                                : "one word makes another fact: all but function words must be equal")
                        + ", which no distance between fingerprints tells");
        Map<String, Object> body = new LinkedHashMap<>(Map.of("field", field, "sketch", "minhash"));
        body.put("processor", Map.of("features", "content_words"));
        body.put("near_duplicate", comparing(field));
        proposal.put("setup", body);
        return proposal;
    }
}
