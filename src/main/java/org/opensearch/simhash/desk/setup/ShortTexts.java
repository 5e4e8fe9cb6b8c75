/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.util.Map;
import org.opensearch.simhash.core.facts.ContentWords;

/** Whether the texts of a field are lines, and then how they are best found and decided: as questions, or as facts. */
final class ShortTexts {

    private static final int MOST_WORDS = 30;

    private static final int LEAST = 5;

    private static final double LEAST_ESTIMATE = 0.4;
    private static final String OPERATORS = "[0-9A-Za-z+\\-*/=×÷<>%]";

    private int texts;
    private int lines;
    private int questions;

    /** Two ideographs are about a word. */
    void add(String text) {
        long ideographs = text.codePoints().filter(Character::isIdeographic).count();
        texts++;
        lines += text.strip().split("\\s+", -1).length + ideographs / 2 <= MOST_WORDS ? 1 : 0;
        questions += text.indexOf('?') >= 0 || text.indexOf('？') >= 0 ? 1 : 0;
    }

    boolean areShort() {
        return texts >= LEAST && 2 * lines >= texts;
    }

    private boolean areQuestions() {
        return 2 * questions > texts;
    }

    /** Options beside {@code sketch} that jobs and {@code near_duplicate} get. */
    Map<String, Object> comparing(String field) {
        Map<String, Object> verify = areQuestions()
                ? Map.of("field", field, "measure", "lcs", "min_similarity", 0.8, "strict_characters", OPERATORS)
                : Map.of("field", field, "measure", "facts");
        return Map.of("min_similarity", LEAST_ESTIMATE, "verify", verify);
    }

    Map<String, Object> proposal(String field) {
        String why = "half of the texts in [" + field + "] have at most " + MOST_WORDS + " words, and "
                + (areQuestions()
                        ? "most are questions: numbers, letters and operators must be equal"
                        : "one word makes another fact: all but function words must be equal")
                + ", which no distance between fingerprints tells";
        Map<String, Object> features = Map.of("features", ContentWords.NAME);
        Map<String, Object> body =
                Map.of("field", field, "sketch", "minhash", "processor", features, "near_duplicate", comparing(field));
        String recipe = areQuestions() ? "pipeline-questions.json" : "pipeline-facts.json";
        return Map.of("recipe", recipe, "why", why, "setup", body);
    }
}
