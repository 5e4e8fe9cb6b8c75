/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.simhash.core.text.UnreadableTextException;

/**
 * The distinct shingles of a text, so that a text that is compared with several others is analysed once: sorted hashes, 8 bytes
 * each. Verdicts are those of {@link TextComparison}. Immutable.
 */
public final class ShingleSet {

    private static final int FIRST_CAPACITY = 256;

    /** So many hashes or fewer are sorted by distribution. */
    private static final int MOST_DISTRIBUTED = 1 << 11;

    private static final int BINS = 1 << Byte.SIZE;

    private final long[] shingles;
    /** What they count, see {@link TokenShingles#letters}. */
    private final long counted;

    private ShingleSet(long[] shingles) {
        this.shingles = shingles;
        long sum = 0;
        for (long shingle : shingles) {
            sum += TokenShingles.letters(shingle);
        }
        this.counted = sum;
    }

    /** Whether sets say all that a verification asks. */
    public static boolean suffice(Verification verification) {
        boolean ofShingles = verification.measure() == Measure.JACCARD || verification.measure() == Measure.CONTAINMENT;
        return ofShingles
                && verification.strictCharacters() == null
                && verification.strip().isEmpty();
    }

    /** Null if the text has no tokens, or if its analyzer cannot read it. {@link #bytes} of the memory stay. */
    public static ShingleSet of(
            Verification verification, PreparedText text, LongConsumer memory, Runnable checkCancelled) {
        var collected = new Object() {
            private long[] shingles = new long[FIRST_CAPACITY];
            private int size;
        };
        memory.accept((long) Long.BYTES * FIRST_CAPACITY);
        TokenShingles.Visitor collect = (shingle, weight) -> {
            if (collected.size == collected.shingles.length) {
                memory.accept(
                        (long) Long.BYTES * (ArrayUtil.oversize(collected.size + 1, Long.BYTES) - collected.size));
                collected.shingles = ArrayUtil.grow(collected.shingles, collected.size + 1);
            }
            collected.shingles[collected.size++] = shingle;
            return true;
        };
        ShingleSet set = null;
        try {
            new TokenShingles(text.analyzer(), verification.shingleSize())
                    .forEach(text.text(), TokenWeights.EQUAL, collect, checkCancelled);
            sort(collected.shingles, collected.size);
            long[] distinct = distinct(collected.shingles, collected.size);
            set = distinct.length == 0 ? null : new ShingleSet(distinct);
        } catch (UnreadableTextException e) {
            // Compared by the analyzer of another text, it may be readable.
        }
        memory.accept((set == null ? 0 : set.bytes()) - (long) Long.BYTES * collected.shingles.length);
        return set;
    }

    /**
     * Sorts the first {@code size} hashes. Hashes are spread evenly: a few hundred, distributed by their first bits, lie within a place or
     * two of where they belong.
     */
    private static void sort(long[] hashes, int size) {
        if (size > MOST_DISTRIBUTED) {
            Arrays.sort(hashes, 0, size);
            return;
        }
        int[] ends = new int[BINS];
        for (int i = 0; i < size; i++) {
            ends[bin(hashes[i])]++;
        }
        for (int bin = 1; bin < BINS; bin++) {
            ends[bin] += ends[bin - 1];
        }
        long[] distributed = new long[size];
        for (int i = 0; i < size; i++) {
            distributed[--ends[bin(hashes[i])]] = hashes[i];
        }
        for (int i = 0; i < size; i++) {
            long hash = distributed[i];
            int place = i;
            for (; place > 0 && hashes[place - 1] > hash; place--) {
                hashes[place] = hashes[place - 1];
            }
            hashes[place] = hash;
        }
    }

    /** In the order of signed numbers. */
    private static int bin(long hash) {
        return (int) (hash >>> (Long.SIZE - Byte.SIZE)) ^ (BINS / 2);
    }

    /** @param sorted the first so many are ascending; overwritten */
    private static long[] distinct(long[] sorted, int size) {
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (count == 0 || sorted[i] != sorted[count - 1]) {
                sorted[count++] = sorted[i];
            }
        }
        return Arrays.copyOf(sorted, count);
    }

    public long bytes() {
        return (long) Long.BYTES * shingles.length;
    }

    /** @param other by the same analyzer and folding */
    public Verdict compare(ShingleSet other, Verification verification) {
        long shared = shared(other);
        long whole = verification.measure() == Measure.JACCARD
                ? counted + other.counted - shared
                : Math.min(counted, other.counted);
        return Verdict.of(shared / (double) whole, verification.minSimilarity());
    }

    private long shared(ShingleSet other) {
        long[] others = other.shingles;
        long shared = 0;
        for (int i = 0, j = 0; i < shingles.length && j < others.length; ) {
            long mine = shingles[i];
            long its = others[j];
            shared += mine == its ? TokenShingles.letters(mine) : 0;
            i += mine <= its ? 1 : 0;
            j += its <= mine ? 1 : 0;
        }
        return shared;
    }
}
