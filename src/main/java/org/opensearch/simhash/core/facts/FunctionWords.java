/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.facts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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

    /** What is typed, or a part of it such as "not" of "can't"; no other word of the text changes it. */
    private record Part(String typed, String written, String stem, Kind kind) {}

    /** In characters. */
    private static final int LONGEST_RECENT = 16;

    /** With them, a typed word takes a few hundred bytes at most. */
    private static final int MOST_PARTS = 2;

    /** Most words of any texts are among a few thousand. */
    private static final int MOST_RECENT = 1 << 12;

    /** What was typed. Forgotten when it is full. */
    private final Map<String, List<Part>> recent = new ConcurrentHashMap<>();

    private final Map<String, Kind> kinds = new HashMap<>();
    /** What contracted words, and their parts with an apostrophe, stand for. */
    private final Map<String, String> contracted = new HashMap<>();

    private final Set<String> telling;

    private final Map<Pattern, String> endings = new LinkedHashMap<>();
    /** That tell the language, outside of ASCII. */
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
        telling = new HashSet<>(kinds.keySet());
        contracted.keySet().forEach(word -> telling.addAll(List.of(word, word.replaceFirst("'$", ""))));
        separators = decimal.equals(".") ? "[,'’]" : "[.'’]";
        grouped = Pattern.compile("\\d{1,3}+(?:" + separators + "\\d{3})++(?:[" + decimal + "]\\d++)?");
    }

    /** How many of some words are of this language. */
    int known(List<Word> words) {
        int known = 0;
        for (Word word : words) {
            boolean isKnown = telling.contains(word.written());
            for (int i = 0; isKnown == false && i < word.written().length(); i++) {
                char letter = word.written().charAt(i);
                isKnown = letter >= 0x80 && letters.indexOf(letter) >= 0;
            }
            known += isKnown ? 1 : 0;
        }
        return known;
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

        /** A pattern takes ten times as long as what most words need. */
        List<Word> cut() {
            Matcher part = PARTS.matcher(text);
            for (int at = 0, end; at < text.length(); at = end) {
                end = endOfPlainWord(at);
                if (end > at) {
                    add(parts(text.substring(at, end), FunctionWords.this::expanded));
                } else if (text.charAt(at) == ' ') {
                    end++;
                } else if (part.find(at)) {
                    end = part.end();
                    add(part);
                } else {
                    return words;
                }
            }
            return words;
        }

        /** Where letters of ASCII end, if nothing that may be of a word follows; else {@code at}. */
        private int endOfPlainWord(int at) {
            int end = at;
            while (end < text.length() && (text.charAt(end) | 0x20) >= 'a' && (text.charAt(end) | 0x20) <= 'z') {
                end++;
            }
            return end == text.length() || " ,;:?!".indexOf(text.charAt(end)) >= 0 ? end : at;
        }

        private void add(Matcher part) {
            if (part.start("number") >= 0) {
                add(parts(part.group(), one -> List.of(new Part(one, lower(one), value(one), Kind.NUMBER))));
            } else if (part.start("alone") >= 0) {
                add(parts(part.group(), one -> List.of(part(one))));
            } else if (part.start("word") >= 0) {
                add(parts(part.group(), FunctionWords.this::expanded));
            } else {
                isAfterPause = true;
                isFirst |= part.start("pause") < 0;
            }
        }

        private void add(List<Part> parts) {
            for (Part part : parts) {
                boolean isName = part.kind == Kind.PRONOUN
                        && part.typed.length() > 1
                        && isOfCapitals == false
                        && part.typed.equals(upper(part.typed)); // "US" is not "us"
                add(part, isName ? stem(part.typed) : part.stem, isName ? Kind.CONTENT : part.kind);
            }
        }

        private void add(Part part, String stem, Kind kind) {
            boolean isCapital = isOfCapitals == false && Character.isUpperCase(part.typed.codePointAt(0));
            words.add(new Word(part.written, stem, kind, isCapital && isOfNoun == false, isFirst, isAfterPause, role));
            isFirst = false;
            isAfterPause = kind == Kind.JOINING;
            isOfNoun = kind == Kind.ARTICLE || (isOfNoun && kind == Kind.CONTENT && isCapital == false);
            role = kind.isPreposition() ? stem : kind.saysSomething() ? "" : role;
        }
    }

    private List<Part> parts(String typed, Function<String, List<Part>> maker) {
        List<Part> known = recent.get(typed);
        if (known == null) {
            known = maker.apply(typed);
            if (typed.length() <= LONGEST_RECENT && known.size() <= MOST_PARTS) {
                if (recent.size() >= MOST_RECENT) {
                    recent.clear();
                }
                recent.put(typed, known);
            }
        }
        return known;
    }

    /** "l'" and "'ll" stand for other words. No recursion: a text may be of apostrophes. */
    private List<Part> expanded(String typed) {
        String word = typed.replace('’', '\'').replace(".", "");
        List<Part> expanded = new ArrayList<>();
        String[] parts = contracted.containsKey(lower(word)) ? new String[] {word} : word.split("'", -1);
        for (int i = 0; i < parts.length; i++) {
            String part = lower(parts[i]);
            String[] likely = {i + 1 < parts.length ? part + "'" : part, i > 0 ? "'" + part : part, part};
            String known = Stream.of(likely)
                    .filter(contracted::containsKey)
                    .findFirst()
                    .map(contracted::get)
                    .orElse(parts[i]);
            Stream.of(known.split(" ", -1))
                    .filter(one -> one.isEmpty() == false)
                    .forEach(one -> expanded.add(part(one)));
        }
        return expanded;
    }

    private Part part(String word) {
        Kind kind = kinds.getOrDefault(lower(word), Kind.CONTENT);
        return new Part(word, lower(word), kind == Kind.CONTENT ? stem(word) : lower(word), kind);
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
