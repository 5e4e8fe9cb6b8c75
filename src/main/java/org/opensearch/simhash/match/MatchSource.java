/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;

/** One way to find the documents of a range within a distance, ascending. One thread, forward only. */
interface MatchSource {

    /** A source without matches. */
    MatchSource EMPTY = new MatchSource() {
        @Override
        public int fill(int from, int to, int bound, MatchBatch batch) {
            return to;
        }

        @Override
        public int most() {
            return 0;
        }

        @Override
        public int next(int from) {
            return Integer.MAX_VALUE;
        }
    };

    /**
     * Adds the documents of {@code [from, to)} within {@code bound} bits to {@code batch}, at most {@link #most} of them.
     *
     * @return the first document that was not examined yet, {@code to} when all were
     */
    int fill(int from, int to, int bound, MatchBatch batch) throws IOException;

    /** Most documents that are added at once, {@link MatchBatch#WINDOW} or less. */
    default int most() {
        return MatchBatch.WINDOW;
    }

    /** A document not after the first match at or after {@code from}: what callers may skip to. */
    int next(int from);

    /** A source that finds matches as it is asked for them: it knows of none ahead, and a smaller bound still saves work. */
    interface OnDemand extends MatchSource {
        @Override
        default int next(int from) {
            return from;
        }
    }
}
