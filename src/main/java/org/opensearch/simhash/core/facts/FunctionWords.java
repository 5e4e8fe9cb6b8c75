/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.facts;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.opensearch.simhash.core.facts.Word.Kind;

/**
 * Short lists of a language's function words, and how it cuts words: contracted ones, endings, the comma of numbers. They are files,
 * one a language. Stop words of search engines are too long: they hold "before" and "after", "on" and "off", "is" and "was".
 *
 * <p>A word is a run of letters, one ideograph or hiragana, a number, or a sign that counts as one. "5km" is two words, "C#" is one.
 * The light stem takes off plural and agreement only; none joins two tenses. Immutable, linear.
 */
final class FunctionWords {

    /** Those with a list. */
    static final List<String> LANGUAGES = List.of("de", "en", "es", "fr", "it", "ja", "nl", "pt", "ru", "zh");

    /** Of a language without a list: nothing is a function word. */
    static final FunctionWords NONE = new FunctionWords(List.of("decimal ."));

    private static final Map<String, FunctionWords> LISTS =
            new TreeMap<>(LANGUAGES.stream().collect(Collectors.toMap(Function.identity(), FunctionWords::read)));

    private static final String COUNTED_SIGNS = "%°+=<>";
    /** Signs between digits only: a hyphen and a slash join words, too. */
    private static final String SIGNS_OF_DIGITS = "-/*";

    private static final String PAUSES = ",;、，；";
    private static final String ENDS_OF_SENTENCES = ".!?:。！？：\n";

    private final Map<String, Kind> kinds = new HashMap<>();
    /** Words that tell the language, and are no function words. */
    private final Set<String> told = new HashSet<>();

    private String letters = "";
    private final Map<String, String> whole = new HashMap<>();
    /** Parts of words with an apostrophe, the longest first. */
    private final Map<String, String> prefixes = new TreeMap<>();

    private final Map<String, String> suffixes = new TreeMap<>(
            (a, b) -> a.length() == b.length() ? a.compareTo(b) : Integer.compare(b.length(), a.length()));
    private final List<Ending> endings = new ArrayList<>();
    private final Pattern grouped;
    private final String groups;
    private final String decimal;

    private record Ending(Pattern pattern, String replacement) {}

    private FunctionWords(List<String> lines) {
        String comma = ".";
        for (String line : lines) {
            String[] parts = line.split(" ", -1);
            List<String> words = List.of(parts).subList(1, parts.length);
            switch (parts[0]) {
                case "#" -> {}
                case "whole" -> words.forEach(word -> put(whole, word));
                case "prefix" -> words.forEach(word -> put(prefixes, word));
                case "suffix" -> words.forEach(word -> put(suffixes, word));
                case "ending" -> endings.add(new Ending(Pattern.compile(parts[1]), parts[2]));
                case "decimal" -> comma = parts[1];
                case "told" -> told.addAll(words);
                case "letters" -> letters = parts[1];
                default -> words.forEach(word -> kinds.put(word, Kind.valueOf(parts[0].toUpperCase(Locale.ROOT))));
            }
        }
        decimal = comma;
        groups = comma.equals(".") ? "," : ".";
        grouped = Pattern.compile("\\d{1,3}(?:\\" + groups + "\\d{3})+(?:\\" + decimal + "\\d+)?");
    }

    private static void put(Map<String, String> words, String entry) {
        int equals = entry.indexOf('=');
        words.put(entry.substring(0, equals), entry.substring(equals + 1).replace('_', ' '));
    }

    private static FunctionWords read(String language) {
        try (InputStream in = FunctionWords.class.getResourceAsStream(language + ".txt")) {
            return new FunctionWords(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param language of two letters; without a list {@link #NONE} */
    static FunctionWords of(String language) {
        return LISTS.getOrDefault(language, NONE);
    }

    /** The lists that know most of the words of these texts; {@link #NONE} if several know as many. */
    static FunctionWords guess(String... texts) {
        List<Word> words = new ArrayList<>();
        for (String text : texts) {
            boolean isOfCapitals = text.equals(upper(text));
            // A capital may begin a name: "Ben" is Dutch, too.
            NONE.words(text).stream()
                    .filter(word -> isOfCapitals || word.isCapital() == false || word.isFirst())
                    .forEach(words::add);
        }
        FunctionWords best = NONE;
        long most = 0;
        for (FunctionWords list : LISTS.values()) {
            long known = words.stream().map(Word::written).filter(list::knows).count();
            best = known > most ? list : known == most ? NONE : best;
            most = Math.max(most, known);
        }
        return best;
    }

    private boolean knows(String word) {
        return kinds.containsKey(word)
                || whole.containsKey(word)
                || told.contains(word)
                || prefixes.containsKey(word + "'")
                || word.chars().anyMatch(letter -> letters.indexOf(letter) >= 0);
    }

    List<Word> words(String text) {
        return new Cutter(text).cut();
    }

    /** Over one text. */
    private final class Cutter {

        private final String text;
        private final List<Word> words = new ArrayList<>();
        private boolean isFirst = true;
        private boolean isAfterPause;
        private String role = "";

        Cutter(String text) {
            this.text = text;
        }

        List<Word> cut() {
            int end;
            for (int i = 0; i < text.length(); i = end) {
                int c = text.codePointAt(i);
                end = i + Character.charCount(c);
                if (Character.isDigit(c)) {
                    end = endOfNumber(i);
                    add(text.substring(i, end), value(text.substring(i, end)), Kind.NUMBER);
                } else if (isAlone(c)) {
                    word(text.substring(i, end));
                } else if (Character.isLetter(c)) {
                    end = endOfWord(end);
                    contracted(text.substring(i, end));
                } else {
                    sign(c, i, end);
                }
            }
            return words;
        }

        private void sign(int c, int from, int to) {
            String sign = text.substring(from, to);
            boolean isBeforeDigit = to < text.length() && Character.isDigit(text.codePointAt(to));
            boolean isAfterLetter = from > 0 && Character.isLetter(text.codePointBefore(from));
            if (COUNTED_SIGNS.contains(sign)
                    || Character.getType(c) == Character.CURRENCY_SYMBOL
                    || (Character.getType(c) == Character.MATH_SYMBOL)
                    || (SIGNS_OF_DIGITS.contains(sign) && isBeforeDigit && isAfterLetter == false)) {
                add(sign, sign, Kind.NUMBER);
            } else if (Character.getType(c) == Character.OTHER_SYMBOL || sign.equals("&")) {
                add(sign, sign, kinds.getOrDefault(sign, Kind.CONTENT));
            } else if (PAUSES.contains(sign)) {
                isAfterPause = true;
            } else if (ENDS_OF_SENTENCES.contains(sign)) {
                isFirst = true;
                isAfterPause = true;
            }
        }

        private int endOfNumber(int from) {
            int end = from;
            while (end < text.length()) {
                char c = text.charAt(end);
                boolean isInside = (c == '.' || c == ',' || isApostrophe(c))
                        && end + 1 < text.length()
                        && Character.isDigit(text.charAt(end + 1));
                if (Character.isDigit(text.codePointAt(end)) == false && isInside == false) {
                    break;
                }
                end += Character.charCount(text.codePointAt(end));
            }
            return end;
        }

        private int endOfWord(int from) {
            int end = from;
            while (end < text.length()) {
                int c = text.codePointAt(end);
                boolean isInside = (isApostrophe(c) || (c == '.' && isInitial(end)))
                        && end + 1 < text.length()
                        && Character.isLetter(text.codePointAt(end + 1))
                        && isAlone(text.codePointAt(end + 1)) == false;
                boolean isLetter = Character.isLetter(c)
                        ? isAlone(c) == false
                        : c == '#' || c == '+' || Character.getType(c) == Character.NON_SPACING_MARK;
                if (isLetter == false && isInside == false) {
                    break;
                }
                end += Character.charCount(c);
            }
            return end;
        }

        /** Whether a point ends one letter alone, as in "U.S." */
        private boolean isInitial(int point) {
            return point < 2 || Character.isLetter(text.charAt(point - 2)) == false;
        }

        private void contracted(String typed) {
            String word = typed.replace('’', '\'').replace(".", "");
            String lower = lower(word);
            int apostrophe = word.indexOf('\'');
            if (whole.containsKey(lower) || apostrophe < 0) {
                word(word);
                return;
            }
            String elided = prefixes.get(lower.substring(0, apostrophe + 1));
            if (elided != null) {
                expanded(elided, word.substring(0, apostrophe));
                contracted(word.substring(apostrophe + 1));
                return;
            }
            for (Map.Entry<String, String> suffix : suffixes.entrySet()) {
                if (lower.endsWith(suffix.getKey())) {
                    contracted(word.substring(0, word.length() - suffix.getKey().length()));
                    expanded(suffix.getValue(), "");
                    return;
                }
            }
            contracted(word.substring(0, apostrophe));
            contracted(word.substring(apostrophe + 1));
        }

        private void expanded(String words, String typed) {
            if (words.isEmpty() == false) {
                for (String word : words.split(" ", -1)) {
                    boolean isCapital = typed.isEmpty() == false && Character.isUpperCase(typed.codePointAt(0));
                    add(isCapital ? typed : word, word, kinds.get(word));
                }
            }
        }

        private void word(String word) {
            String written = lower(word);
            String expanded = whole.get(written);
            if (expanded != null) {
                expanded(expanded, word);
                return;
            }
            Kind kind = kinds.get(written);
            boolean isAbbreviation = kind == Kind.PRONOUN && word.length() > 1 && word.equals(upper(word));
            add(word, written, isAbbreviation && text.equals(upper(text)) == false ? null : kind); // "US" is not "us"
        }

        /** @param kind null for a word of no list */
        private void add(String typed, String word, Kind kind) {
            if (typed.isEmpty()) {
                return;
            }
            boolean isCapital = Character.isUpperCase(typed.codePointAt(0));
            String stem = kind == null ? stem(lower(typed).equals(word) ? typed : word) : word;
            Kind known = kind == null ? Kind.CONTENT : kind;
            Word made = new Word(lower(typed), stem, known, isCapital, isFirst, isAfterPause, role);
            words.add(made);
            isFirst = false;
            isAfterPause = known == Kind.JOINING;
            role = made.isPreposition() ? stem : made.saysSomething() ? "" : role;
        }
    }

    private static boolean isApostrophe(int c) {
        return c == '\'' || c == '’';
    }

    /** Of a script without spaces: each of them is a word. */
    private static boolean isAlone(int c) {
        return Character.isIdeographic(c) || UnicodeScript.of(c) == UnicodeScript.HIRAGANA;
    }

    private static String lower(String word) {
        return word.toLowerCase(Locale.ROOT);
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private String stem(String typed) {
        int second = Character.charCount(typed.codePointAt(0));
        String stem = typed.substring(0, second) + lower(typed.substring(second));
        for (Ending ending : endings) {
            var matcher = ending.pattern.matcher(stem);
            stem = matcher.matches() ? matcher.replaceFirst(ending.replacement) : stem;
        }
        return lower(stem.endsWith("_") ? stem.substring(0, stem.length() - 1) : stem);
    }

    /** Without the separators of groups, with a point before decimals, in digits of ASCII. */
    private String value(String typed) {
        StringBuilder digits = new StringBuilder();
        typed.codePoints()
                .forEach(c -> digits.appendCodePoint(Character.isDigit(c) ? '0' + Character.digit(c, 10) : c));
        String number = digits.toString();
        return (grouped.matcher(number).matches() ? number.replace(groups, "") : number).replace(decimal, ".");
    }
}
