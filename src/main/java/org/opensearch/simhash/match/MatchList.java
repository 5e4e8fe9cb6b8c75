/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/** Known matches with their distances. */
final class MatchList implements MatchSource {

    /** Ascending: document in the high bits, distance in the low byte. */
    private final long[] matches;

    private final int size;
    private int next;

    MatchList(long[] matches, int size) {
        this.matches = matches;
        this.size = size;
    }

    @Override
    public int fill(int from, int to, int bound, MatchBatch batch) {
        for (; next < size && doc(next) < to; next++) {
            if (batch.size == MatchBatch.WINDOW) {
                return doc(next);
            }
            int distance = (int) matches[next] & 0xff;
            if (doc(next) >= from && distance <= bound) {
                batch.add(doc(next), distance);
            }
        }
        return to;
    }

    @Override
    public int most() {
        return Math.min(size, MatchBatch.WINDOW);
    }

    @Override
    public int next(int from) {
        return next < size ? Math.max(from, doc(next)) : Integer.MAX_VALUE;
    }

    private int doc(int match) {
        return (int) (matches[match] >>> Byte.SIZE);
    }
}
