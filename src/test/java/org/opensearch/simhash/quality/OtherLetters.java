/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The same texts in another alphabet: within each script letters change places with others of their kind, all over the same.
 * What was equal stays equal and what differed differs, marks stay on their letters and words stay words; but nearly every
 * feature has another hash. So the fingerprints of such texts are those of the same texts by another seed of the hash, whatever
 * the recipe does.
 *
 * <p>Letters with a part of their own in folding or in a digraph stay what they are, such as i, s, ya and heh, and digits.
 */
final class OtherLetters implements UnaryOperator<String> {

    /** Alphabets of letters of one kind. */
    private static final List<String> LETTERS = List.of(
            "aeou",
            "bcdfghjklmnpqrtvwxyz",
            "аеоуыэюя",
            "бвгджзклмнпрстфхцчшщ",
            "αεηυοω",
            "βγδζθκλμνξπρτφχψ",
            "بتثجحخدذرزسشصضطظعغفقلمن",
            "אבגדהוזחטילסעקרשת",
            range(0x0915, 0x0928) + range(0x092A, 0x0930) + range(0x0935, 0x0939),
            range(0x0E01, 0x0E23) + "ลวศษสหฬ",
            "ກຂຄງຈຊຍດຕຖທບປຜຝພຟຢຣລວສອຮ",
            range(0x1780, 0x17A2),
            range(0x1000, 0x1020),
            // The first letters of Hangul syllables.
            range(0x1100, 0x1112),
            "かきくけこさしすせそたちつてと",
            "はひふへほ",
            "なにぬねのまみむめもやゆよらりるれろ",
            "カキクケコサシスセソタチツテト",
            "ハヒフヘホ",
            "ナニヌネノマミムメモヤユヨラリルレロ",
            range(0x4E00, 0x9FA5));

    private final Map<Integer, Integer> letters = new HashMap<>();

    OtherLetters(long seed) {
        Random random = new Random(seed);
        for (String alphabet : LETTERS) {
            List<Integer> before = alphabet.codePoints().boxed().toList();
            List<Integer> after = new ArrayList<>(before);
            Collections.shuffle(after, random);
            for (int i = 0; i < before.size(); i++) {
                letters.put(before.get(i), after.get(i));
                letters.put(Character.toUpperCase(before.get(i)), Character.toUpperCase(after.get(i)));
            }
        }
    }

    @Override
    public String apply(String text) {
        String changed = Normalizer.normalize(text, Form.NFD)
                .codePoints()
                .mapToObj(c -> Character.toString(letters.getOrDefault(c, c)))
                .collect(Collectors.joining());
        return Normalizer.normalize(changed, Form.NFC);
    }

    private static String range(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(Character::toString).collect(Collectors.joining());
    }
}
