/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Made-up documents, numbered from 0, every fifth a copy of an earlier one but for its last words: of one just before it, in
 * the same bulk request, or of any. The words are as frequent as in the sample; their order is random, so that no other two
 * texts are alike.
 */
final class PlantedDuplicates {

    private static final int WORDS = 120;
    private static final int EVERY = 5;

    private final List<String> texts = new ArrayList<>();
    private final int[] originals;

    PlantedDuplicates(int documents, long seed) {
        List<String> words = new SampleIndex().words("en", "de", "fr", "es");
        var random = new Random(seed);
        originals = new int[documents];
        for (int i = 0; i < documents; i++) {
            originals[i] = i % EVERY == EVERY - 1 ? original(i, random) : -1;
            texts.add(originals[i] < 0 ? text(words, random) : copy(texts.get(originals[i]), random));
        }
    }

    private int original(int copy, Random random) {
        int original = random.nextBoolean() ? copy - 1 - random.nextInt(EVERY - 1) : random.nextInt(copy);
        return original % EVERY == EVERY - 1 ? original - 1 : original;
    }

    private static String text(List<String> words, Random random) {
        var text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            text.append(words.get(random.nextInt(words.size()))).append(' ');
        }
        return text.toString().strip();
    }

    /** The same but for white space, or without the last words. */
    private static String copy(String original, Random random) {
        String copy = original + "\n";
        for (int i = random.nextInt(3); i > 0; i--) {
            copy = copy.substring(0, copy.lastIndexOf(' '));
        }
        return copy;
    }

    int size() {
        return texts.size();
    }

    String text(int document) {
        return texts.get(document);
    }

    /** The document that a document is a copy of, -1 for none. */
    int original(int document) {
        return originals[document];
    }

    /** The lines of a bulk request. */
    String bulk(int from, int to) {
        var lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
            lines.append(Json.write(Map.of("number", i, "content", texts.get(i))))
                    .append('\n');
        }
        return lines.toString();
    }
}
