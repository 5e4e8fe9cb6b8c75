/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.BytesRef;

/** The words of the first document around a shingle that some documents share, and the terms that every document with them has. */
public record SharedBlock(int from, int to, List<String> terms) {

    /** Of the places of a term in a text, as many are tried. */
    private static final int MOST_PLACES = 64;

    private record Range(int from, int to) {}

    /** The longest block that at least half of the other documents, one or more, share with the first, around a shingle. Null if they share none. */
    public static SharedBlock of(PassageLayout layout, String term, List<Words> documents, Runnable checkWanted) {
        Words first = documents.getFirst();
        List<Integer> places = places(first, layout, term, checkWanted);
        if (places.isEmpty()) {
            return null;
        }
        int place = places.getFirst();
        List<Range> shared = new ArrayList<>();
        for (Words other : documents.subList(1, documents.size())) {
            Range longest = null;
            for (int otherPlace : places(other, layout, term, checkWanted)) {
                longest = longer(longest, extended(first, place, other, otherPlace));
            }
            if (longest != null && longest.to - longest.from >= layout.words()) {
                shared.add(longest);
            }
        }
        Range block = null;
        for (Range begin : shared) {
            for (Range end : shared) {
                Range range = new Range(begin.from, end.to);
                long having = shared.stream()
                        .filter(one -> one.from <= range.from && range.to <= one.to)
                        .count();
                block = having < documents.size() / 2 ? block : longer(block, range);
            }
        }
        return block == null
                ? null
                : new SharedBlock(block.from, block.to, terms(first, layout, block.from, block.to, checkWanted));
    }

    private static Range longer(Range one, Range other) {
        return one == null || other.to - other.from > one.to - one.from ? other : one;
    }

    /** Where a term's shingle begins, but not everywhere in a text that repeats it. */
    private static List<Integer> places(Words words, PassageLayout layout, String term, Runnable checkWanted) {
        long wanted = Winnowing.number(new BytesRef(term));
        List<Integer> places = new ArrayList<>();
        new RollingHash(layout.words())
                .forEach(
                        words,
                        (first, hash) -> {
                            if (Winnowing.number(hash) == wanted && places.size() < MOST_PLACES) {
                                places.add(first);
                            }
                        },
                        checkWanted);
        return places;
    }

    private static Range extended(Words first, int place, Words other, int otherPlace) {
        int text = first.textOf(place);
        int otherText = other.textOf(otherPlace);
        int most = Integer.MAX_VALUE;
        return new Range(
                place - first.equal(place, first.from(text), other, otherPlace, other.from(otherText), -1, most),
                place + first.equal(place, first.to(text), other, otherPlace, other.to(otherText), 1, most));
    }

    /** Those of windows within the block. */
    private static List<String> terms(Words words, PassageLayout layout, int from, int to, Runnable checkWanted) {
        Words block = new Words(bytes -> {});
        for (int i = from; i < to; i++) {
            block.add(words.hash(i));
        }
        block.endText();
        return Arrays.asList(Winnowing.terms(block, layout, checkWanted));
    }
}
