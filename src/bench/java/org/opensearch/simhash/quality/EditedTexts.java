/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Any number of texts made of the sentences of the labelled sets, and edits of them. A new text is sentences of several real texts of one
 * language, drawn at random. Some texts are edits of an earlier one: the kinds of edits are those that reposts have. Each text depends on
 * its number and the seed alone.
 */
final class EditedTexts {

    /** One of so many texts is an edit. */
    private static final int ONE_OF = 6;

    private static final int FEWEST_SENTENCES = 300;
    private static final int SHORTEST = 12;
    private static final int LONGEST = 400;
    /** Characters of a text; where words are not set apart by spaces, a third of it. */
    private static final int LEAST = 400;

    private static final int MOST = 2_000;

    private static final String SENTENCE_ENDS = "(?<=[.!?] )|(?<=[。！？।])|\\R+";

    private record Language(boolean spaces, List<String> sentences) {}

    private final List<Language> languages;
    private final long seed;

    private final int sentences;

    private EditedTexts(List<Language> languages, long seed) {
        this.languages = languages;
        this.sentences = languages.stream()
                .mapToInt(language -> language.sentences().size())
                .sum();
        this.seed = seed;
    }

    /** Texts made of the sentences of some sets. */
    static EditedTexts of(List<DataSet> sets, long seed) {
        Map<String, Set<String>> sentences = new LinkedHashMap<>();
        Map<String, Boolean> spaces = new LinkedHashMap<>();
        for (DataSet set : sets) {
            String language = set.language().split("-", 2)[0];
            spaces.put(language, set.spacesBetweenWords() && DataSet.comparesCharacters(language) == false);
            Set<String> ofLanguage = sentences.computeIfAbsent(language, unused -> new HashSet<>());
            for (DataSet.Document document : set.documents()) {
                Arrays.stream(document.text().split(SENTENCE_ENDS))
                        .map(String::strip)
                        .filter(sentence -> sentence.length() >= SHORTEST && sentence.length() <= LONGEST)
                        .forEach(ofLanguage::add);
            }
        }
        List<Language> languages = new ArrayList<>();
        sentences.forEach((language, found) -> {
            List<String> sorted = new ArrayList<>(found);
            Collections.sort(sorted);
            if (sorted.size() >= FEWEST_SENTENCES) {
                languages.add(new Language(spaces.get(language), sorted));
            }
        });
        return new EditedTexts(languages, seed);
    }

    /** Sentences, all of them different within a language. */
    int sentences() {
        return sentences;
    }

    /** How many languages have enough of them. */
    int languages() {
        return languages.size();
    }

    /** Which earlier text a text is an edit of; negative for a new one. */
    int origin(int number) {
        SplittableRandom random = random(number);
        return number > 0 && random.nextInt(ONE_OF) == 0 ? random.nextInt(number) : -1;
    }

    String text(int number) {
        return String.join(" ", parts(number));
    }

    private List<String> parts(int number) {
        int origin = origin(number);
        SplittableRandom random = random(~number);
        return origin < 0 ? drawn(random) : edited(parts(origin), random);
    }

    private List<String> drawn(SplittableRandom random) {
        Language language = language(random.nextInt(sentences));
        int length = random.nextInt(LEAST, MOST) / (language.spaces ? 1 : 3);
        List<String> parts = new ArrayList<>();
        for (int taken = 0; taken < length; taken += parts.getLast().length()) {
            parts.add(language.sentences.get(random.nextInt(language.sentences.size())));
        }
        return parts;
    }

    /** As many texts of each language as it has sentences: what two texts share is as rare everywhere. */
    private Language language(int sentence) {
        int left = sentence;
        for (Language language : languages) {
            left -= language.sentences.size();
            if (left < 0) {
                return language;
            }
        }
        throw new IllegalArgumentException("sentence " + sentence);
    }

    /** How a repost differs from what it repeats. */
    private enum Edit {
        EQUAL,
        WRITING,
        DATE,
        FOOTER,
        WORDS,
        MANY_WORDS,
        SENTENCE_LEFT_OUT,
        SENTENCE_ADDED,
        SENTENCES_SWAPPED,
        SENTENCE_REPLACED
    }

    private List<String> edited(List<String> original, SplittableRandom random) {
        List<String> parts = new ArrayList<>(original);
        int place = random.nextInt(parts.size());
        String other = drawn(random).getFirst();
        switch (Edit.values()[random.nextInt(Edit.values().length)]) {
            case EQUAL -> {}
            case WRITING ->
                parts.replaceAll(part -> part.replace('\'', '\u2019').replace(" ", "  "));
            case DATE -> parts.addFirst(random.nextInt(1, 29) + "." + random.nextInt(1, 13) + ".2026");
            case FOOTER -> parts.add("\u00a9 " + random.nextInt(1990, 2027) + " " + other.split(" ", 2)[0]);
            case WORDS -> replaceWords(parts, random.nextInt(1, 4), other, random);
            case MANY_WORDS -> replaceWords(parts, random.nextInt(4, 12), other, random);
            case SENTENCE_LEFT_OUT -> {
                if (parts.size() > 1) {
                    parts.remove(place);
                }
            }
            case SENTENCE_ADDED -> parts.add(place, other);
            case SENTENCES_SWAPPED -> Collections.shuffle(parts, new Random(random.nextLong()));
            case SENTENCE_REPLACED -> parts.set(place, other);
        }
        return parts;
    }

    /** Characters where there are no words. */
    private static void replaceWords(List<String> parts, int count, String other, SplittableRandom random) {
        String[] others = other.split(" ", -1);
        for (int i = 0; i < count; i++) {
            int place = random.nextInt(parts.size());
            String[] words = parts.get(place).split(" ", -1);
            if (words.length > 2) {
                words[random.nextInt(words.length)] = others[random.nextInt(others.length)];
                parts.set(place, String.join(" ", words));
            } else {
                var characters = new StringBuilder(parts.get(place));
                characters.setCharAt(random.nextInt(characters.length()), other.charAt(0));
                parts.set(place, characters.toString());
            }
        }
    }

    private SplittableRandom random(int number) {
        return new SplittableRandom(seed ^ number * 0x9E37_79B9_7F4A_7C15L);
    }
}
