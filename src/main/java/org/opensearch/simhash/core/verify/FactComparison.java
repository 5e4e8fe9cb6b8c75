/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.lang.Character.UnicodeScript;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.facts.Word;
import org.opensearch.simhash.core.facts.Word.Kind;
import org.opensearch.simhash.core.verify.Verdict.Outcome;

/**
 * Whether two short texts say the same: all their words but function words are equal, numbers and negations exactly, and no two like
 * words have changed places. "Anna likes the dark mode" says what "Anna likes dark mode" says; "Anna likes light mode" does not, nor does
 * "Ben asks Anna" say what "Anna asks Ben" says. Symmetric.
 *
 * <p>With a least similarity below 1 one text alone may have more words, none of them a number, a negation or a name (a word with a
 * capital, so in German any noun). The similarity is then the share of its words that the other one has.
 */
final class FactComparison implements TextComparison.Rest {

    /** In characters; a fact is a line or two. */
    private static final int MAX_LENGTH = 1 << 16;

    /** Of the words of a text. */
    private static final int BYTES_PER_CHARACTER = 40;

    private final ContentWords analyzer;
    private final double minSimilarity;
    private final String text;

    FactComparison(Verification verification, ContentWords analyzer, String text) {
        this.analyzer = analyzer;
        this.minSimilarity = verification.minSimilarity();
        this.text = text;
    }

    @Override
    public Verdict compare(String other, LongConsumer memory, Runnable checkCancelled) {
        if (text.length() > MAX_LENGTH || other.length() > MAX_LENGTH) {
            return Verdict.TOO_LARGE;
        }
        memory.accept((long) BYTES_PER_CHARACTER * (text.length() + other.length()));
        List<List<Word>> both = withEqualStems(analyzer.words(text, other));
        if (both.getFirst().isEmpty() && both.getLast().isEmpty()) {
            return Verdict.of(CodePoints.areEqualWithoutSpace(text, other, memory) ? 1 : 0, minSimilarity);
        }
        return new Pair(both.getFirst(), both.getLast()).verdict();
    }

    /** A word that is written alike has one stem: a German word may be taken for a noun where it begins a sentence. */
    private static List<List<Word>> withEqualStems(List<List<Word>> both) {
        Map<String, String> stems = new HashMap<>();
        both.forEach(words -> words.forEach(
                word -> stems.merge(word.written(), word.stem(), (one, two) -> one.compareTo(two) < 0 ? one : two)));
        return both.stream()
                .map(words -> words.stream()
                        .map(word -> word.withStem(stems.get(word.written())))
                        .toList())
                .toList();
    }

    @Override
    public long bytes() {
        return 0;
    }

    /** The words of both texts. */
    private final class Pair {

        private final List<Word> a;
        private final List<Word> b;
        /** What differs, with the words of each side. */
        private final Map<String, List<List<String>>> differences = new LinkedHashMap<>();

        Pair(List<Word> a, List<Word> b) {
            this.a = a;
            this.b = b;
        }

        Verdict verdict() {
            differ("number", surplus(a, b, isOf(Kind.NUMBER)), surplus(b, a, isOf(Kind.NUMBER)));
            differ("negation", surplus(a, b, isOf(Kind.NEGATION)), surplus(b, a, isOf(Kind.NEGATION)));
            double similarity = ofWords();
            List<List<Word>> exchanged = new WordOrder(common(a, b), common(b, a)).exchanged();
            List<List<Word>> reverse = new WordOrder(common(b, a), common(a, b)).exchanged();
            if (exchanged.isEmpty() == false || reverse.isEmpty() == false) {
                List<List<Word>> both = exchanged.isEmpty() ? reverse.reversed() : exchanged;
                differ("order", both.getFirst(), both.getLast());
            }
            if (differences.isEmpty() == false) {
                return new Verdict(Outcome.FACTS_DIFFER, 0, differences);
            }
            differ("words", others(a, b, word -> true), others(b, a, word -> true));
            return similarity >= minSimilarity
                    ? new Verdict(Outcome.SIMILAR, similarity, differences)
                    : new Verdict(Outcome.FACTS_DIFFER, similarity, differences);
        }

        private void differ(String what, List<Word> ofA, List<Word> ofB) {
            if (ofA.isEmpty() == false || ofB.isEmpty() == false) {
                differences.put(what, List.of(written(ofA), written(ofB)));
            }
        }

        /** Judges words but numbers and negations. */
        private double ofWords() {
            List<Word> moreA = others(a, b, isOf(Kind.CONTENT));
            List<Word> moreB = others(b, a, isOf(Kind.CONTENT));
            if (a.stream().noneMatch(Word::saysSomething) || b.stream().noneMatch(Word::saysSomething)) {
                moreA = others(a, b, FactComparison::mayTell); // nothing but function words
                moreB = others(b, a, FactComparison::mayTell);
            }
            boolean isName =
                    moreA.stream().anyMatch(Word::isCapital) || moreB.stream().anyMatch(Word::isCapital);
            if ((moreA.isEmpty() || moreB.isEmpty()) == false || (isName && minSimilarity < 1)) {
                differ("words", moreA, moreB);
            }
            List<Word> placesA = surplus(a, b, Word::isPreposition);
            List<Word> placesB = surplus(b, a, Word::isPreposition);
            boolean isDirected =
                    Stream.concat(placesA.stream(), placesB.stream()).anyMatch(FactComparison::isDirected);
            List<Word> whoA = others(a, b, isOf(Kind.PRONOUN));
            List<Word> whoB = others(b, a, isOf(Kind.PRONOUN));
            boolean haveBoth = placesA.isEmpty() == false && placesB.isEmpty() == false;
            if (haveBoth && isDirected) {
                differ("words", placesA, placesB);
            }
            if (whoA.isEmpty() == false && whoB.isEmpty() == false) {
                differ("words", whoA, whoB);
            }
            int more = stems(moreA).size() + stems(moreB).size();
            int shared = (int) stems(a).stream().filter(stems(b)::contains).count();
            return more == 0 ? 1 : shared / (double) (shared + more);
        }
    }

    private static boolean isOrdered(Word word) {
        return word.saysSomething() || isDirected(word);
    }

    private static boolean isDirected(Word word) {
        return word.kind() == Kind.DIRECTED;
    }

    private static boolean mayTell(Word word) {
        return word.kind() != Kind.DROPPED && word.kind() != Kind.JOINING;
    }

    private static Set<String> stems(List<Word> words) {
        return words.stream().filter(FactComparison::mayTell).map(Word::stem).collect(Collectors.toSet());
    }

    private static List<String> written(List<Word> words) {
        return words.stream().map(Word::written).distinct().toList();
    }

    private static Predicate<Word> isOf(Kind kind) {
        return word -> word.kind() == kind;
    }

    /** Words of a kind that the first has more often. */
    private static List<Word> surplus(List<Word> words, List<Word> others, Predicate<Word> which) {
        Map<String, Integer> left = new HashMap<>();
        others.stream().filter(which).forEach(word -> left.merge(word.stem(), 1, Integer::sum));
        return words.stream()
                .filter(word -> which.test(word) && left.merge(word.stem(), -1, Integer::sum) < 0)
                .toList();
    }

    /** Words that only the first has. */
    private static List<Word> others(List<Word> words, List<Word> others, Predicate<Word> which) {
        Set<String> known = others.stream().map(Word::stem).collect(Collectors.toSet());
        return words.stream()
                .filter(word -> which.test(word) && known.contains(word.stem()) == false)
                .toList();
    }

    /** The words whose order counts, as often as both have them. */
    private static List<Word> common(List<Word> words, List<Word> others) {
        Map<String, Integer> left = new HashMap<>();
        others.stream().filter(FactComparison::isOrdered).forEach(word -> left.merge(word.stem(), 1, Integer::sum));
        return words.stream()
                .filter(word -> isOrdered(word) && left.merge(word.stem(), -1, Integer::sum) >= 0)
                .toList();
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
        private int from;
        private int end;

        /** @param b the same words in another order */
        WordOrder(List<Word> a, List<Word> b) {
            this.a = a;
            this.b = b;
            this.end = a.size();
            while (from < end && isSame(from, from)) {
                from++;
            }
            while (end > from && isSame(end - 1, end - 1)) {
                end--;
            }
        }

        private boolean isSame(int inA, int inB) {
            return a.get(inA).stem().equals(b.get(inB).stem());
        }

        /** Two like runs that have changed places; empty if there are none. */
        List<List<Word>> exchanged() {
            if (from < end && end - from > MOST_MOVED) {
                return List.of(a.subList(from, from + 1), b.subList(from, from + 1));
            }
            if (from == end || isOfList()) {
                return List.of();
            }
            for (int first = 1; first < end - from; first++) {
                for (int last = 1; first + last <= end - from; last++) {
                    int middle = end - from - first - last;
                    if (areSame(from, end - first, first)
                            && areSame(end - last, from, last)
                            && areSame(from + first, from + last, middle)) {
                        return areLike(first, last)
                                ? List.of(a.subList(from, from + first), a.subList(end - last, end))
                                : List.of();
                    }
                }
            }
            return reversed();
        }

        private boolean areSame(int inA, int inB, int length) {
            for (int i = 0; i < length; i++) {
                if (isSame(inA + i, inB + i) == false) {
                    return false;
                }
            }
            return true;
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
            boolean areOfAKind = areAll(left, right, WordOrder::isIdeograph) || areAll(left, right, this::isName);
            if (first + last == end - from) {
                return first == 1 && last == 1 && areOfAKind; // "Ben Anna"
            }
            String ofLeft = left.getFirst().role();
            String ofRight = right.getFirst().role();
            boolean keepRoles = ofLeft.equals(b.get(end - first).role())
                    && ofRight.equals(b.get(from).role())
                    && ofLeft.equals(ofRight) == false;
            return keepRoles == false && (areOfAKind || kinds(left).equals(kinds(right)));
        }

        private static boolean areAll(List<Word> left, List<Word> right, Predicate<Word> what) {
            return left.stream().allMatch(what) && right.stream().allMatch(what);
        }

        private List<String> kinds(List<Word> words) {
            return words.stream()
                    .map(word -> isName(word) ? "name" : word.kind().name())
                    .toList();
        }

        /** In another order altogether: names, or numbers, in another order. */
        private List<List<Word>> reversed() {
            for (Predicate<Word> like : List.<Predicate<Word>>of(this::isName, isOf(Kind.NUMBER))) {
                List<Word> inA = a.stream().filter(like).toList();
                List<Word> inB = b.stream().filter(like).toList();
                if (inA.stream()
                                .map(Word::stem)
                                .toList()
                                .equals(inB.stream().map(Word::stem).toList())
                        == false) {
                    return List.of(inA, inB);
                }
            }
            return List.of();
        }

        /** Whether a word has a capital wherever that says something. */
        private boolean isName(Word word) {
            List<Word> same = Stream.concat(a.stream(), b.stream())
                    .filter(one -> one.stem().equals(word.stem()))
                    .toList();
            return same.stream().allMatch(Word::isCapital) && same.stream().allMatch(Word::isFirst) == false;
        }

        private static boolean isIdeograph(Word word) {
            int c = word.stem().codePointAt(0);
            return Character.isIdeographic(c) || UnicodeScript.of(c) == UnicodeScript.HIRAGANA;
        }
    }
}
