/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The same text with other white space, with characters that nobody sees, with lines that end elsewhere. */
final class Spaces {

    private static final List<String> SPACES = List.of(
            "  ", "\t", "\n", "\r\n", "\n\n", " \n ", "\u0085", "\u2028", "\u2029", "\u00a0", "\u1680", "\u2002",
            "\u2003", "\u2009", "\u200a", "\u202f", "\u205f", "\u3000", "\u200b ", " \u200b", "\f", "\u000b");
    /** Word joiner, byte order mark, soft hyphen, marks of direction, grapheme joiner, function application. */
    private static final List<String> UNSEEN =
            List.of("\u2060", "\ufeff", "\u00ad", "\u200e", "\u200f", "\u202a", "\u2066", "\u034f", "\u2061");

    private static final List<String> HYPHENS =
            List.of("-\n", "-\r\n", "\u2010\n", "\u00ad\n", "\u00ad\r\n", "-\u2028");
    private static final List<String> HYPHENS_WITH_SPACE = List.of("-\n    ", "- \n", "\u00ad\n    ", "-\n\n");

    private static final Pattern SPACE = Pattern.compile(" ");
    private static final Pattern SPACE_BEHIND_NO_HYPHEN = Pattern.compile("(?<![-\u2010\u2011]) ");
    private static final Pattern LINE_BREAK = Pattern.compile("\\R");

    /** Where lines end between any two characters. */
    private static final Set<String> WITHOUT_SPACES = Set.of("zh", "ja");
    /** Where U+200B stands between words. In all others it is a character that nobody sees. */
    private static final Set<String> WITH_UNSEEN_SPACES = Set.of("zh", "ja", "th", "km", "lo", "my");

    private static final int SEEDS = 4;

    private Spaces() {}

    static Stream<Variant> of(VariantText text) {
        List<Variant> variants = new ArrayList<>();
        for (String space : SPACES) {
            variants.add(text.same("white space", escape(space), spaced(text.text(), space)));
        }
        variants.add(text.same("white space", "around", "\n\t " + text.text() + " \n"));
        for (int seed = 0; seed < SEEDS; seed++) {
            if (WITH_UNSEEN_SPACES.contains(text.language()) == false) {
                String apart = insert(text.text(), "\u200b", seed, i -> isInWord(text.text(), i));
                variants.add(text.same("unseen characters", "U+200B", apart));
            }
            for (String unseen : UNSEEN) {
                variants.add(text.same(
                        "unseen characters",
                        escape(unseen),
                        insert(text.text(), unseen, seed, i -> isInWord(text.text(), i))));
            }
            for (String hyphen : HYPHENS) {
                variants.add(text.same("hyphenated lines", escape(hyphen), hyphenated(text.text(), hyphen, seed)));
            }
            for (String hyphen : HYPHENS_WITH_SPACE) {
                variants.add(text.reported("hyphenated lines, indented", hyphenated(text.text(), hyphen, seed)));
            }
            if (WITHOUT_SPACES.contains(text.language())) {
                for (String end : List.of("\n", "\r\n", "\n\u3000\u3000", "\u200b")) {
                    variants.add(text.same(
                            "lines wrapped",
                            escape(end),
                            insert(text.text(), end, seed, i -> isBetweenIdeographs(text.text(), i))));
                }
            }
        }
        if (WITHOUT_SPACES.contains(text.language())) {
            variants.add(text.same(
                    "spaces around Latin",
                    "",
                    text.text().replaceAll("(?<=\\p{IsHan})(?=[0-9A-Za-z])|(?<=[0-9A-Za-z])(?=\\p{IsHan})", " ")));
        }
        if (text.language().equals("th")) {
            variants.addAll(wordsApart(text));
        }
        if (text.has("words")) {
            String words = text.entry("words");
            variants.add(text.with(words.replace("\u200b", "")).same("U+200B between words", "", words));
        }
        return variants.stream();
    }

    /** Not behind the hyphen of "two- or threefold", which a line break would join with the next word. */
    private static String spaced(String text, String space) {
        boolean endsLine = LINE_BREAK.matcher(space).find();
        return (endsLine ? SPACE_BEHIND_NO_HYPHEN : SPACE).matcher(text).replaceAll(Matcher.quoteReplacement(space));
    }

    /** U+200B between words, which is how some write Thai, and lines that end between words. */
    private static List<Variant> wordsApart(VariantText text) {
        BreakIterator words = BreakIterator.getWordInstance(Locale.of("th"));
        words.setText(text.text());
        StringBuilder apart = new StringBuilder();
        for (int start = words.first(), end = words.next(); end >= 0; start = end, end = words.next()) {
            if (start > 0 && isThai(text.text(), start - 1) && isThai(text.text(), start)) {
                apart.append('\u200b');
            }
            apart.append(text.text(), start, end);
        }
        List<Variant> variants = new ArrayList<>();
        variants.add(text.same("U+200B between words", "", apart.toString()));
        for (int seed = 0; seed < SEEDS; seed++) {
            String all = apart.toString();
            String some = insert(all, "\n", seed, i -> all.charAt(i) == '\u200b');
            variants.add(text.reported("lines wrapped between Thai words", some.replace("\u200b", "")));
        }
        return variants;
    }

    private static boolean isThai(String text, int index) {
        return Character.UnicodeScript.of(text.charAt(index)) == Character.UnicodeScript.THAI;
    }

    /** Into every tenth of the places that allow it. */
    private static String insert(String text, String what, long seed, IntPredicate allows) {
        Random random = new Random(seed);
        StringBuilder inserted = new StringBuilder(text);
        for (int i = text.length() - 1; i > 0; i--) {
            if (allows.test(i) && random.nextInt(10) == 0) {
                inserted.insert(i, what);
            }
        }
        return inserted.toString();
    }

    private static boolean isInWord(String text, int index) {
        return Character.isLetter(text.charAt(index - 1)) && Character.isLetter(text.charAt(index));
    }

    private static boolean isBetweenIdeographs(String text, int index) {
        return Character.isIdeographic(text.charAt(index - 1)) && Character.isIdeographic(text.charAt(index));
    }

    /** Lines that end in words whose letters are told apart by case, two letters and more from their ends. */
    private static String hyphenated(String text, String hyphen, long seed) {
        return insert(
                text,
                hyphen,
                seed,
                i -> i >= 2
                        && i + 2 <= text.length()
                        && text.substring(i - 2, i + 2).chars().allMatch(Spaces::isCased)
                        && Character.isLowerCase(text.charAt(i)));
    }

    private static boolean isCased(int c) {
        return Character.isLowerCase(c) || Character.isUpperCase(c);
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars()
                .forEach(c -> escaped.append(
                        c > ' ' && c < 0x7F ? Character.toString(c) : String.format(Locale.ROOT, "U+%04X ", c)));
        return escaped.toString().strip();
    }
}
