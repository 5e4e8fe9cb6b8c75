/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.opensearch.simhash.quality.DataSets;

/**
 * Any number of short texts: poems of a data set where there is one, else pieces of the sample corpus; as many as that has, then
 * texts of halves of two. A number always gives the same text.
 */
final class MigratedTexts {

    private static final String SET = "load_poems_zh";
    private static final int WORDS = 25;
    private static final int PIECES = 4_000;

    private final List<String> texts;

    private MigratedTexts(List<String> texts) {
        this.texts = texts;
    }

    /** Those of the data set in the folder that the system property {@code simhash.data} names, else pieces of the sample. */
    static MigratedTexts configured() {
        DataSets sets = DataSets.configured();
        return sets.has(SET)
                ? new MigratedTexts(sets.read(SET, "docs.jsonl").stream()
                        .map(poem -> String.valueOf(poem.get("text")))
                        .toList())
                : ofSample();
    }

    static MigratedTexts ofSample() {
        List<String> words = new SampleIndex().words("en", "de", "fr", "es");
        Random random = new Random(38);
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < PIECES; i++) {
            int from = random.nextInt(words.size() - WORDS);
            pieces.add(String.join(" ", words.subList(from, from + WORDS)));
        }
        return new MigratedTexts(pieces);
    }

    /** How many texts are not made of others. */
    int size() {
        return texts.size();
    }

    String text(int number) {
        String first = texts.get(number % texts.size());
        int round = number / texts.size();
        if (round == 0) {
            return first;
        }
        String second = texts.get((int) ((number * 7_919L + round) % texts.size()));
        return first.substring(0, half(first)) + "\n" + second.substring(half(second));
    }

    /** No character is cut. */
    private static int half(String text) {
        return text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
    }
}
