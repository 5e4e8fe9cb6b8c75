/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.SampleIndex;

/** Random texts of the words of the sample: long and short ones, some without a word, and edited copies of each. */
final class Texts {

    private static final List<String> STRANGE = List.of(
            "", " \n\t ", "!!! ??? ...", "\uD83D\uDE00 \uD83D\uDE01 \uD83D\uDE00", "\u202Eabc\u202C \u200B\u200D", "0");
    private static final int LONGEST = 200;

    private final List<String> words = new SampleIndex().words("en", "de", "fr", "es", "ru");

    String fresh(RandomGenerator random) {
        int kind = random.nextInt(100);
        if (kind == 0) {
            return STRANGE.get(random.nextInt(STRANGE.size()));
        }
        int length = kind < 5 ? 1 + random.nextInt(5) : 10 + random.nextInt(LONGEST);
        List<String> text = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            text.add(word(random));
        }
        return String.join(" ", text);
    }

    /** With up to four words taken out, put in or replaced. */
    String edited(String text, RandomGenerator random) {
        List<String> edited = new ArrayList<>(Arrays.asList(text.split(" ", -1)));
        for (int edits = random.nextInt(5); edits > 0; edits--) {
            int at = random.nextInt(edited.size());
            switch (random.nextInt(3)) {
                case 0 -> edited.add(at, word(random));
                case 1 -> edited.set(at, word(random));
                default -> {
                    if (edited.size() > 1) {
                        edited.remove(at);
                    }
                }
            }
        }
        return String.join(" ", edited);
    }

    /** Any word of the sample, frequent ones more often. */
    String word(RandomGenerator random) {
        return words.get(random.nextInt(words.size()));
    }
}
