/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.facts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opensearch.simhash.core.facts.Word.Kind;
import org.opensearch.simhash.core.text.Folding;

/**
 * Short lists of a language's function words, and how it cuts words: contracted ones, endings, the comma of numbers. They are files,
 * one a language. Stop words of search engines are too long: they hold "before" and "after", "on" and "off", "is" and "was".
 *
 * <p>The light stem takes off plural and agreement only; none joins two tenses. Immutable, linear.
 */
final class FunctionWords {

    /** Of a script without spaces: each of them is a word. */
    private static final String ALONE = "[\\p{IsIdeographic}\\p{IsHiragana}]";

    /** Of a longer word; with them "C#" is one. */
    private static final String LETTER = "[\\p{L}\\p{Mn}#+&&[^\\p{IsIdeographic}\\p{IsHiragana}]]";

    /**
     * "5km" is two words, "U.S." one. A hyphen and a slash count between digits only, since they join words, too. Loops are possessive:
     * others would need a stack as deep as a word is long.
     */
    private static final Pattern PARTS = Pattern.compile("(?<number>\\p{Nd}++(?:[.,'’]\\p{Nd}++)*+|[%°\\p{Sc}\\p{Sm}]"
            + "|(?<!\\p{L})[-/*](?=\\p{Nd}))|(?<alone>" + ALONE + "|\\p{So}|&)"
            + "|(?<word>(?=\\p{L})(?:(?<!\\p{L})\\p{L}\\.(?=\\p{L})|" + LETTER + "|['’](?=" + LETTER + "))++)"
            + "|(?<pause>[,;、，；])|[.!?:。！？：\n]");

    private final Map<String, Kind> kinds = new HashMap<>();
    /** What contracted words, and their parts with an apostrophe, stand for. */
    private final Map<String, String> contracted = new HashMap<>();

    private final Map<Pattern, String> endings = new LinkedHashMap<>();
    /** That tell the language. */
    private String letters = "";

    private String decimal = ".";
    /** Between groups of digits. */
    private final String separators;

    private final Pattern grouped;

    /** @param lines of a file; none for a language without one, where nothing is a function word */
    FunctionWords(List<String> lines) {
        for (String line : lines) {
            String[] row = line.split(" ", -1);
            List<String> words = List.of(row).subList(1, row.length);
            switch (row[0]) {
                case "#" -> {}
                case "contracted" ->
                    words.forEach(word -> contracted.put(
                            lower(word.substring(0, word.indexOf('='))),
                            word.substring(word.indexOf('=') + 1).replace('_', ' ')));
                case "ending" -> endings.put(Pattern.compile(row[1]), row[2]);
                case "decimal" -> decimal = row[1];
                case "letters" -> letters = row[1];
                default -> words.forEach(word -> kinds.put(lower(word), Kind.valueOf(row[0].toUpperCase(Locale.ROOT))));
            }
        }
        separators = decimal.equals(".") ? "[,'’]" : "[.'’]";
        grouped = Pattern.compile("\\d{1,3}+(?:" + separators + "\\d{3})++(?:[" + decimal + "]\\d++)?");
    }

    /** How many of some words are of this language. */
    long known(List<Word> words) {
        return words.stream()
                .map(Word::written)
                .filter(word -> kinds.containsKey(word)
                        || contracted.containsKey(word)
                        || contracted.containsKey(word + "'")
                        || word.chars().anyMatch(letter -> letters.indexOf(letter) >= 0))
                .count();
    }

    List<Word> words(String text) {
        return new Cutter(text).cut();
    }

    /** Over one text. */
    private final class Cutter {

        private final String text;
        /** In capitals altogether: they say nothing. */
        private final boolean isOfCapitals;

        private final List<Word> words = new ArrayList<>();
        private boolean isFirst = true;
        private boolean isAfterPause;
        /** After an article and lower-case words. */
        private boolean isOfNoun;

        private String role = "";

        Cutter(String text) {
            this.text = text;
            this.isOfCapitals = text.equals(upper(text));
        }

        List<Word> cut() {
            for (Matcher part = PARTS.matcher(text); part.find(); ) {
                if (part.start("number") >= 0) {
                    add(part.group(), value(part.group()), Kind.NUMBER);
                } else if (part.start("alone") >= 0) {
                    add(part.group());
                } else if (part.start("word") >= 0) {
                    expand(part.group().replace('’', '\'').replace(".", ""));
                } else {
                    isAfterPause = true;
                    isFirst |= part.start("pause") < 0;
                }
            }
            return words;
        }

        /** "l'" and "'ll" stand for other words. No recursion: a text may be of apostrophes. */
        private void expand(String word) {
            String[] parts = contracted.containsKey(lower(word)) ? new String[] {word} : word.split("'", -1);
            for (int i = 0; i < parts.length; i++) {
                String part = lower(parts[i]);
                String[] likely = {i + 1 < parts.length ? part + "'" : part, i > 0 ? "'" + part : part, part};
                String known = Stream.of(likely)
                        .filter(contracted::containsKey)
                        .findFirst()
                        .orElse(null);
                if (known == null) {
                    add(parts[i]);
                } else {
                    Stream.of(contracted.get(known).split(" ", -1)).forEach(this::add);
                }
            }
        }

        private void add(String word) {
            Kind kind = kinds.getOrDefault(lower(word), Kind.CONTENT);
            if (kind == Kind.PRONOUN && word.length() > 1 && isOfCapitals == false && word.equals(upper(word))) {
                kind = Kind.CONTENT; // "US" is not "us"
            }
            if (word.isEmpty() == false) {
                add(word, kind == Kind.CONTENT ? stem(word) : lower(word), kind);
            }
        }

        private void add(String word, String stem, Kind kind) {
            boolean isCapital = isOfCapitals == false && Character.isUpperCase(word.codePointAt(0));
            words.add(new Word(lower(word), stem, kind, isCapital && isOfNoun == false, isFirst, isAfterPause, role));
            isFirst = false;
            isAfterPause = kind == Kind.JOINING;
            isOfNoun = kind == Kind.ARTICLE || (isOfNoun && kind == Kind.CONTENT && isCapital == false);
            role = kind.isPreposition() ? stem : kind.saysSomething() ? "" : role;
        }
    }

    private static String lower(String word) {
        return Folding.CASE.of(word);
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private String stem(String typed) {
        int second = Character.charCount(typed.codePointAt(0));
        String stem = typed.substring(0, second) + lower(typed.substring(second));
        for (Map.Entry<Pattern, String> ending : endings.entrySet()) {
            Matcher matcher = ending.getKey().matcher(stem);
            stem = matcher.matches() ? matcher.replaceFirst(ending.getValue()) : stem;
        }
        return lower(stem.endsWith("_") ? stem.substring(0, stem.length() - 1) : stem);
    }

    /** Without the separators of groups, with a point before decimals, in digits of ASCII. */
    private String value(String typed) {
        String number = Folding.LETTERS.of(typed);
        boolean isGrouped = grouped.matcher(number).matches();
        return (isGrouped ? number.replaceAll(separators, "") : number).replace(decimal, ".");
    }
}
