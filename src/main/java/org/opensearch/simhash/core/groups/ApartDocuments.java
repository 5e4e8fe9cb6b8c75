/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.groups;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongToIntFunction;
import java.util.stream.LongStream;

/** Documents, by rank, that people have kept apart: 16 bytes for each pair. A look-up is a binary search. Immutable. */
public final class ApartDocuments {

    private static final int[] NONE = {};

    /** Both directions of each pair, ascending: the rank of a document, then that of the other. */
    private final long[] pairs;

    /** @param rank of a document by address; negative if it is none of the documents */
    public ApartDocuments(List<AddressPair> apart, LongToIntFunction rank, LongConsumer memory) {
        memory.accept(2L * Long.BYTES * apart.size());
        this.pairs = apart.stream()
                .flatMapToLong(pair -> {
                    long a = rank.applyAsInt(pair.a());
                    long b = rank.applyAsInt(pair.b());
                    return a < 0 || b < 0 || a == b
                            ? LongStream.empty()
                            : LongStream.of((a << Integer.SIZE) | b, (b << Integer.SIZE) | a);
                })
                .sorted()
                .distinct()
                .toArray();
    }

    public long pairs() {
        return pairs.length / 2;
    }

    public boolean are(int a, int b) {
        return pairs.length > 0 && Arrays.binarySearch(pairs, ((long) a << Integer.SIZE) | b) >= 0;
    }

    /** The documents that are kept apart from this one, ascending. */
    public int[] from(int document) {
        if (pairs.length == 0) {
            return NONE;
        }
        int found = Arrays.binarySearch(pairs, (long) document << Integer.SIZE);
        int start = found < 0 ? -1 - found : found;
        int end = start;
        while (end < pairs.length && (int) (pairs[end] >>> Integer.SIZE) == document) {
            end++;
        }
        return Arrays.stream(pairs, start, end).mapToInt(pair -> (int) pair).toArray();
    }

    /** Two documents of a point in time, by address. */
    public record AddressPair(long a, long b) {

        /** Bytes of heap, in a list. */
        public static final int BYTES = 40;
    }
}
