/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.facts.Word;
import org.opensearch.simhash.core.facts.Word.Kind;
import org.opensearch.simhash.core.verify.Verdict.Outcome;

/**
 * Whether two short texts say the same: all their words but function words are equal, numbers and negations exactly, and no two like
 * words have changed places. "Anna likes the dark mode" says what "Anna likes dark mode" says; "Anna likes light mode" does not, nor does
 * "Ben asks Anna" say what "Anna asks Ben" says. Symmetric.
 *
 * <p>With a least similarity below 1 one text alone may have more words, none of them a number, a negation or a name. The similarity is
 * then the share of its words that the other one has.
 */
record FactComparison(Verification verification, ContentWords analyzer, String text, ContentWords.Line line)
        implements TextComparison.Rest {

    /** In characters; a fact is a line or two. */
    private static final int MAX_LENGTH = 1 << 16;

    FactComparison(Verification verification, ContentWords analyzer, String text, LongConsumer memory) {
        this(verification, analyzer, text, new ContentWords.Line(text));
        memory.accept(bytes());
    }

    @Override
    public Verdict compare(String other, LongConsumer memory, Runnable checkCancelled) {
        if (text.length() > MAX_LENGTH || other.length() > MAX_LENGTH) {
            return Verdict.TOO_LARGE;
        }
        memory.accept(
                ContentWords.BYTES_PER_CHARACTER * (text.length() + (1L + ContentWords.Line.CUTS) * other.length()));
        List<List<Word>> both = withEqualStems(analyzer.words(line, new ContentWords.Line(other)));
        return both.stream().allMatch(List::isEmpty)
                ? Verdict.of(CodePoints.areEqual(text, other, memory) ? 1 : 0, verification.minSimilarity())
                : verdict(both);
    }

    /**
     * A word that is written alike is one word: a German one may be taken for a noun where it begins a sentence, "US" for "us". Names, which have a
     * capital wherever they stand, have none: Luis is not Luise. What begins a sentence is no name if another word changes with it.
     */
    private static List<List<Word>> withEqualStems(List<List<Word>> both) {
        Map<String, String> stems = new HashMap<>();
        Map<String, Kind> kinds = new HashMap<>();
        both.forEach(words -> words.forEach(word -> {
            // No name is written so: Juan is not the stem of "juanes".
            stems.merge(word.written(), word.stem() + '_', (one, two) -> one.compareTo(two) < 0 ? one : two);
            kinds.merge(word.written(), word.kind(), (one, two) -> one.compareTo(two) < 0 ? one : two);
        }));
        Map<String, Boolean> areNames = new HashMap<>();
        Map<String, Boolean> areFirst = new HashMap<>();
        both.forEach(words -> words.forEach(word -> {
            areNames.merge(stems.get(word.written()), word.isCapital(), Boolean::logicalAnd);
            areFirst.merge(stems.get(word.written()), word.isFirst(), Boolean::logicalAnd);
        }));
        List<String> others = stems.values().stream()
                .filter(stem -> areNames.get(stem) == false)
                .toList();
        if (others.stream().distinct().count() < others.size()) {
            areNames.replaceAll((stem, isName) -> isName && areFirst.get(stem) == false);
        }
        return both.stream()
                .map(words -> words.stream()
                        .map(word -> word.with(
                                stems.get(word.written()),
                                kinds.get(word.written()),
                                areNames.get(stems.get(word.written()))))
                        .toList())
                .toList();
    }

    @Override
    public long bytes() {
        return text.length() > MAX_LENGTH
                ? 0
                : (long) ContentWords.Line.CUTS * ContentWords.BYTES_PER_CHARACTER * text.length();
    }

    private Verdict verdict(List<List<Word>> both) {
        Map<String, List<List<Word>>> differences = new LinkedHashMap<>();
        for (Kind kind : List.of(Kind.NUMBER, Kind.NEGATION)) {
            List<List<Word>> exact = more(both, isOf(kind));
            if (areAny(exact, word -> true)) {
                differences.put(kind.toString().toLowerCase(Locale.ROOT), exact);
            }
        }
        boolean isSaid = both.stream()
                .allMatch(words -> words.stream().anyMatch(word -> word.kind().saysSomething()));
        Predicate<Word> mayTell =
                word -> word.kind().saysSomething() || word.kind().isPreposition() || word.kind() == Kind.PRONOUN;
        List<List<Word>> other = more(both, isSaid ? isOf(Kind.CONTENT) : mayTell);
        List<List<Word>> places = more(both, word -> word.kind().isPreposition());
        List<List<Word>> who = more(both, isOf(Kind.PRONOUN));
        if (areBoth(other) || areAny(other, Word::isCapital)) {
            differences.put("words", other);
        } else if (areBoth(places) && areAny(places, isOf(Kind.DIRECTED))) {
            differences.put("words", places);
        } else if (areBoth(who)) {
            differences.put("words", who);
        }
        List<List<Word>> exchanged = new WordOrder(
                        counted(both, word -> word.kind().saysSomething() || word.kind() == Kind.DIRECTED, true))
                .exchanged();
        if (exchanged.isEmpty() == false) {
            differences.put("order", exchanged);
        }
        if (differences.isEmpty() == false) {
            return new Verdict(Outcome.FACTS_DIFFER, 0, written(differences));
        }
        List<List<Word>> any = more(both, word -> true);
        if (areAny(any, word -> true)) {
            differences.put("words", any);
        }
        double shared = counted(both, mayTell, true).getFirst().size();
        int more = other.getFirst().size() + other.getLast().size();
        double similarity = more == 0 ? 1 : shared / (shared + more);
        return new Verdict(
                similarity >= verification.minSimilarity() ? Outcome.SIMILAR : Outcome.FACTS_DIFFER,
                similarity,
                written(differences));
    }

    private static Map<String, List<List<String>>> written(Map<String, List<List<Word>>> differences) {
        Map<String, List<List<String>>> written = new LinkedHashMap<>();
        differences.forEach((what, sides) -> written.put(
                what,
                sides.stream()
                        .map(words ->
                                words.stream().map(Word::written).distinct().toList())
                        .toList()));
        return written;
    }

    private static boolean areBoth(List<List<Word>> sides) {
        return sides.stream().noneMatch(List::isEmpty);
    }

    private static boolean areAny(List<List<Word>> sides, Predicate<Word> which) {
        return sides.stream().flatMap(List::stream).anyMatch(which);
    }

    private static Predicate<Word> isOf(Kind kind) {
        return word -> word.kind() == kind;
    }

    /** Of each side, words that it has more often. */
    private static List<List<Word>> more(List<List<Word>> both, Predicate<Word> which) {
        return counted(both, which, false);
    }

    /** Of each side, words as often as both have them, or those that it has more often. */
    private static List<List<Word>> counted(List<List<Word>> both, Predicate<Word> which, boolean isShared) {
        List<List<Word>> counted = new ArrayList<>();
        for (List<List<Word>> sides : List.of(both, both.reversed())) {
            Map<String, Integer> left = new HashMap<>();
            List<Word> words = new ArrayList<>();
            for (Word word : sides.getLast()) {
                if (which.test(word)) {
                    left.merge(word.stem(), 1, Integer::sum);
                }
            }
            for (Word word : sides.getFirst()) {
                if (which.test(word) && left.merge(word.stem(), -1, Integer::sum) >= 0 == isShared) {
                    words.add(word);
                }
            }
            counted.add(words);
        }
        return counted;
    }

    /**
     * What has changed places. One run of words that has moved says the same, as do parts of a list and words that keep their
     * prepositions: "In 2020 she moved to Rome" is "She moved to Rome in 2020". Two like runs that have changed places do not: "from Rome
     * to Bonn" is not "from Bonn to Rome".
     */
    private static final class WordOrder {

        /** Words of a list's parts that both have, such as the last one of "red wine and white wine". */
        private static final int SHARED = 3;

        /** Words from the first to the last that moved; comparing their orders takes the square of it, and more. */
        private static final int MOST_MOVED = 64;

        private final List<Word> a;
        private final List<Word> b;
        private final List<String> stemsOfA;
        private final List<String> stemsOfB;
        private int from;
        private int end;

        /** @param both have the same words */
        WordOrder(List<List<Word>> both) {
            this.a = both.getFirst();
            this.b = both.getLast();
            this.stemsOfA = stems(a);
            this.stemsOfB = stems(b);
            this.end = a.size();
            while (from < end && areSame(from, from, 1)) {
                from++;
            }
            while (end > from && areSame(end - 1, end - 1, 1)) {
                end--;
            }
        }

        private static List<String> stems(List<Word> words) {
            return words.stream().map(Word::stem).toList();
        }

        /** Two like runs that have changed places; empty if there are none. */
        List<List<Word>> exchanged() {
            int length = end - from;
            if (length > MOST_MOVED) {
                return List.of(a.subList(from, from + 1), b.subList(from, from + 1));
            }
            if (length == 0 || isOfList()) {
                return List.of();
            }
            boolean isMoved = false;
            for (int first = 1; first < length; first++) {
                for (int last = 1; first + last <= length; last++) {
                    if (areSame(from, end - first, first)
                            && areSame(end - last, from, last)
                            && areSame(from + first, from + last, length - first - last)) {
                        if (areLike(first, last)) {
                            return List.of(a.subList(from, from + first), a.subList(end - last, end));
                        }
                        isMoved = true;
                    }
                }
            }
            return isMoved ? List.of() : inOtherOrder();
        }

        private boolean areSame(int inA, int inB, int length) {
            return stemsOfA.subList(inA, inA + length).equals(stemsOfB.subList(inB, inB + length));
        }

        /** Whether two parts of a list, between which there is a pause, have changed places. */
        private boolean isOfList() {
            for (int begin = Math.max(0, from - SHARED); begin <= from; begin++) {
                for (int to = end; to <= Math.min(a.size(), end + SHARED); to++) {
                    for (int cut = begin + 1; cut < to; cut++) {
                        if ((a.get(cut).isAfterPause()
                                        || b.get(begin + to - cut).isAfterPause())
                                && areSame(begin, begin + to - cut, cut - begin)
                                && areSame(cut, begin, to - cut)) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }

        /** @param first words at the left, and last ones at the right, that have changed places */
        private boolean areLike(int first, int last) {
            List<Word> left = a.subList(from, from + first);
            List<Word> right = a.subList(end - last, end);
            Set<String> kinds = kinds(left);
            if (kinds.equals(kinds(right)) == false) {
                return false;
            }
            if (first + last == end - from) {
                return first == 1 && last == 1 && kinds.contains(Kind.CONTENT.name()) == false; // "Ben Anna"
            }
            String ofLeft = left.getFirst().role();
            String ofRight = right.getFirst().role();
            boolean keepRoles = ofLeft.equals(b.get(end - first).role())
                    && ofRight.equals(b.get(from).role())
                    && ofLeft.equals(ofRight) == false;
            return keepRoles == false;
        }

        private static Set<String> kinds(List<Word> words) {
            return words.stream()
                    .map(word -> isIdeograph(word)
                            ? "ideograph"
                            : word.isCapital() ? "name" : word.kind().name())
                    .collect(Collectors.toSet());
        }

        /** Names, or numbers, in another order altogether. */
        private List<List<Word>> inOtherOrder() {
            for (Predicate<Word> like : List.<Predicate<Word>>of(Word::isCapital, isOf(Kind.NUMBER))) {
                List<Word> inA = a.stream().filter(like).toList();
                List<Word> inB = b.stream().filter(like).toList();
                if (stems(inA).equals(stems(inB)) == false) {
                    return List.of(inA, inB);
                }
            }
            return List.of();
        }

        private static boolean isIdeograph(Word word) {
            int c = word.stem().codePointAt(0);
            return Character.isIdeographic(c) || UnicodeScript.of(c) == UnicodeScript.HIRAGANA;
        }
    }
}
