/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;

/**
 * Two of the chunks into which fingerprints are dealt when one node shall not hold all of them: every pair of fingerprints is in
 * one of the pairs of chunks. Pairs within a chunk belong to one of the chunk's pairs, which owns it.
 *
 * @param first a chunk
 * @param second another one; the same when there is only one
 * @param count how many chunks there are
 * @param ownsFirst whether pairs within the first chunk are looked for here
 * @param ownsSecond whether pairs within the second chunk are looked for here
 */
public record Chunks(int first, int second, int count, boolean ownsFirst, boolean ownsSecond) {

    /** All in one. */
    public static final Chunks WHOLE = new Chunks(0, 0, 1, true, false);

    /** How many pairs there are of so many. */
    public static long passes(int count) {
        return count == 1 ? 1 : count * (count - 1L) / 2;
    }

    /** The pairs of chunks that together are all of the work. */
    public static List<Chunks> pairs(int count) {
        if (count == 1) {
            return List.of(WHOLE);
        }
        List<Chunks> pairs = new ArrayList<>();
        for (int first = 0; first < count; first++) {
            for (int second = first + 1; second < count; second++) {
                boolean last = first == count - 2;
                pairs.add(new Chunks(first, second, count, second == first + 1, last));
            }
        }
        return pairs;
    }

    /** The chunk of a fingerprint, or of the digest of a document without one. */
    public int of(long value) {
        if (count == 1) {
            return 0;
        }
        long mixed = (value ^ value >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return (int) Long.remainderUnsigned(mixed ^ mixed >>> 32, count);
    }

    /** Whether a fingerprint is in one of the two. */
    public boolean contains(long value) {
        int chunk = of(value);
        return chunk == first || chunk == second;
    }

    /** Whether pairs within the chunk of this fingerprint are looked for here. */
    boolean owns(long value) {
        return of(value) == first ? ownsFirst : ownsSecond;
    }

    /** Whether a pair of fingerprints, both contained, is looked for here. */
    boolean owns(long a, long b) {
        return count == 1 || of(a) != of(b) || owns(a);
    }
}
