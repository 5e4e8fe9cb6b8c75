/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.FixedBitSet;

/**
 * The words that a source shares with other documents, in runs of at least {@code least} words. Exact: a word counts if and only if
 * it stands in such a run of both. Linear in both texts, whatever they repeat. 40 bytes a word of the source. Immutable, so that
 * threads share it; each thread compares with a {@link Comparison} of its own.
 */
public final class CommonRuns {

    /** Passages are merged over as many words that differ. */
    public static final int MOST_GAP = 3;

    /** Behind a gap, as many equal words continue a passage. */
    private static final int RESUMED = 8;
    /** Of the places in the source with the same words, as many are tried. */
    private static final int MOST_PLACES = 64;
    /** As many are looked for, of which the longest are kept. */
    private static final int MOST_PASSAGES = 10_000;

    private static final int NONE = -1;

    private final Words source;
    private final int least;
    private final RollingHash rolling;
    /** By first word. */
    private final long[] runs;
    /** The next place with the same run, or {@link #NONE}. */
    private final int[] next;
    /** The first place with the same run, or {@link #NONE} where no run begins. */
    private final int[] first;
    /** By first place: the first place of the run that stands one word before all of them; {@link #NONE} if there are several. */
    private final int[] before;
    /** By first place: how many there are. */
    private final int[] times;
    /** First places by hash; linear probing. */
    private final int[] firstPlaces;

    /**
     * @param least words of a run
     * @param memory gets the bytes before they are taken, and may refuse them with an exception; the caller gives them back
     */
    public CommonRuns(Words source, int least, LongConsumer memory, Runnable checkWanted) {
        this.source = source;
        this.least = least;
        this.rolling = new RollingHash(least);
        int slots = Integer.highestOneBit(Math.max(1, source.size())) * 4;
        memory.accept(bytes(source.size(), slots));
        this.runs = new long[source.size()];
        this.next = new int[source.size()];
        this.first = new int[source.size()];
        this.before = new int[source.size()];
        this.times = new int[source.size()];
        this.firstPlaces = new int[slots];
        Arrays.fill(firstPlaces, NONE);
        FixedBitSet isRun = new FixedBitSet(Math.max(1, source.size()));
        rolling.forEach(
                source,
                (place, hash) -> {
                    runs[place] = hash;
                    isRun.set(place);
                },
                checkWanted);
        for (int place = source.size() - 1; place >= 0; place--) {
            if (isRun.get(place)) {
                int slot = slot(runs[place]);
                next[place] = firstPlaces[slot];
                firstPlaces[slot] = place;
            }
        }
        Arrays.fill(first, NONE);
        for (int place = 0; place < source.size(); place++) {
            if (isRun.get(place)) {
                int run = firstPlaces[slot(runs[place])];
                int one = place == 0 ? NONE : first[place - 1];
                first[place] = run;
                before[run] = run == place || before[run] == one ? one : NONE;
                times[run]++;
            }
        }
    }

    /** Of this object and of a {@link Comparison}. */
    public long bytes() {
        return bytes(source.size(), firstPlaces.length) + source.bytes();
    }

    private static long bytes(int size, int slots) {
        return (long) (Long.BYTES + 5 * Integer.BYTES) * size + (long) Integer.BYTES * slots;
    }

    public Words source() {
        return source;
    }

    /** The slot of a run, or the one where it would be. */
    private int slot(long run) {
        int mask = firstPlaces.length - 1;
        int slot = (int) run & mask;
        while (firstPlaces[slot] != NONE && runs[firstPlaces[slot]] != run) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /**
     * How much two texts share.
     *
     * @param sourceWords words of the source that the document has; if the source was not counted whole, perhaps not all, but at least as
     *     many as {@code documentWords}, if there are so many
     * @param documentWords words of the document that the source has
     */
    public record Shared(int sourceWords, int documentWords) {

        /** The words in common: what both count. */
        public int words() {
            return Math.min(sourceWords, documentWords);
        }
    }

    /**
     * Words of a document that the source has, too, but for some within: as word numbers of both.
     *
     * @param words that are equal
     */
    public record Passage(int from, int to, int sourceFrom, int sourceTo, int words) {}

    /** Compares documents with the source. One thread. */
    public final class Comparison {

        /** Of as many sets of runs, the words of the source are known. */
        private static final int MOST_KNOWN = 256;

        private final int[] seen = new int[source.size()];
        /** By the runs of a document: those with one block have the same. */
        private final Map<Long, Integer> known = new HashMap<>();

        private int round;
        private int sharedOfDocument;
        private int sharedTo;
        /** The first places of the document's runs. */
        private int[] found = new int[16];

        private int count;
        private long hashOfFound;
        /** Places of the source that were looked at. */
        long places;

        /** Of the source all words that the document has, or, if not the whole is wanted, perhaps not all. */
        public Shared compare(Words document, boolean isWhole, Runnable checkWanted) {
            round++;
            sharedOfDocument = 0;
            count = 0;
            hashOfFound = 0;
            sharedTo = 0;
            rolling.forEach(document, this::look, checkWanted);
            if (sharedOfDocument == 0) {
                return new Shared(0, 0);
            }
            Integer ofSource = known.get(hashOfFound);
            if (ofSource == null) {
                int most = isWhole ? Integer.MAX_VALUE : sharedOfDocument;
                ofSource = 0;
                for (int i = 0; i < count && ofSource < most; i++) {
                    ofSource += added(found[i], most - ofSource);
                }
                if (ofSource < most) {
                    known.put(hashOfFound, ofSource);
                }
            }
            if (known.size() > MOST_KNOWN) {
                known.clear();
            }
            return new Shared(ofSource, sharedOfDocument);
        }

        /**
         * The words, or enough of them, that all places of a run add to those of runs before it. Where the same words always stand before
         * it, all add as many: a document with a part of a block that the source repeats does not look at each place.
         */
        private int added(int run, int most) {
            int away = 1;
            int other = before[run];
            for (; away < least && other != NONE && seen[other] != round; away++) {
                other = before[other];
            }
            if (away == least || other != NONE) {
                places++;
                return away * times[run];
            }
            int words = 0;
            for (int same = run; same != NONE && words < most; same = next[same]) {
                int own = away;
                while (own < least && isShared(same - own) == false) {
                    own++;
                }
                words += own;
                places++;
            }
            return words;
        }

        private boolean isShared(int place) {
            return place >= 0 && first[place] != NONE && seen[first[place]] == round;
        }

        private void look(int place, long run) {
            int same = firstPlaces[slot(run)];
            if (same == NONE) {
                return;
            }
            sharedOfDocument += place + least - Math.max(place, sharedTo);
            sharedTo = place + least;
            if (seen[same] != round) {
                seen[same] = round;
                found = ArrayUtil.grow(found, count + 1);
                found[count++] = same;
                hashOfFound = RollingHash.next(hashOfFound, run);
            }
        }

        /** The longest passages, in the order of the document. */
        public List<Passage> passages(Words document, int limit, Runnable checkWanted) {
            List<Passage> found = new ArrayList<>();
            int[] done = {0};
            rolling.forEach(
                    document,
                    (place, run) -> {
                        int first = firstPlaces[slot(run)];
                        if (first != NONE && place >= done[0] && found.size() < MOST_PASSAGES) {
                            int text = document.textOf(place);
                            int begin = Math.max(done[0], document.from(text));
                            found.add(passage(document, begin, document.to(text), place, first));
                            done[0] = found.getLast().to();
                        }
                    },
                    checkWanted);
            return found.stream()
                    .sorted(Comparator.comparingInt(Passage::words).reversed())
                    .limit(limit)
                    .sorted(Comparator.comparingInt(Passage::from))
                    .toList();
        }

        /** Where in the source most words follow that are equal to those of the document. */
        private int longest(Words document, int place, int end, int first) {
            int best = first;
            int mostWords = 0;
            int tried = 0;
            for (int same = first; same != NONE && tried < MOST_PLACES; same = next[same], tried++) {
                int sourceEnd = source.to(source.textOf(same));
                int equal = document.equal(place, end, source, same, sourceEnd, 1, Integer.MAX_VALUE);
                if (equal > mostWords) {
                    mostWords = equal;
                    best = same;
                }
            }
            return best;
        }

        /** Extends a run over small differences, within a text of the document and one of the source. */
        private Passage passage(Words document, int begin, int end, int place, int first) {
            int sourcePlace = longest(document, place, end, first);
            int text = source.textOf(sourcePlace);
            Extent before = extent(document, place, begin, sourcePlace, source.from(text), -1);
            Extent after = extent(document, place, end, sourcePlace, source.to(text), 1);
            return new Passage(
                    before.place, after.place, before.sourcePlace, after.sourcePlace, before.words + after.words);
        }

        private Extent extent(Words document, int from, int bound, int sourceFrom, int sourceBound, int step) {
            int place = from;
            int sourcePlace = sourceFrom;
            int words = 0;
            for (boolean isMore = true; isMore; ) {
                int equal = document.equal(place, bound, source, sourcePlace, sourceBound, step, Integer.MAX_VALUE);
                place += step * equal;
                sourcePlace += step * equal;
                words += equal;
                isMore = false;
                for (int gap = 1; gap <= 2 * MOST_GAP && isMore == false; gap++) {
                    for (int left = Math.max(0, gap - MOST_GAP);
                            left <= Math.min(gap, MOST_GAP) && isMore == false;
                            left++) {
                        int resumed = place + step * left;
                        int sourceResumed = sourcePlace + step * (gap - left);
                        if (document.equal(resumed, bound, source, sourceResumed, sourceBound, step, RESUMED)
                                == RESUMED) {
                            place = resumed;
                            sourcePlace = sourceResumed;
                            isMore = true;
                        }
                    }
                }
            }
            return new Extent(place, sourcePlace, words);
        }
    }

    /** How far a passage goes in one direction. */
    private record Extent(int place, int sourcePlace, int words) {}
}
