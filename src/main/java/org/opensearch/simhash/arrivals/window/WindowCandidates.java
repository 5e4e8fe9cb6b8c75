/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Original;

/** The candidates of a document in the window, page by page: the nearest first, then the oldest. One thread at a time. */
public final class WindowCandidates {

    /** Candidates of the first page; then twice as many each time. */
    private static final int ADDED = 8;

    private static final int MOST_ADDED = 512;

    /** Entries to ask for after the first page. */
    private static final int PAGE = 64;

    /** Most texts that differ or are not known any more: a bulk of thousands of near fingerprints must end. */
    public static final int MOST_COMPARED = 256;

    /** Most candidates that do not count, because they are deleted or follow the document. */
    private static final int MOST_FOUND = 10_000;

    private final List<Original> found = new ArrayList<>();
    private Original last;
    private int added = ADDED;
    private int compared;
    private boolean hasMore = true;

    public List<Original> found() {
        return found;
    }

    /** Whether there may be more, at the distance {@link #reached} or farther. */
    public boolean hasMore() {
        return hasMore && isExhausting() == false;
    }

    public boolean isExhausting() {
        return hasMore && found.size() >= MOST_FOUND;
    }

    /** The distance of the last one seen; -1 before the first. */
    public int reached() {
        return last == null ? -1 : last.distance();
    }

    /**
     * Adds the next candidates.
     *
     * @param similarity of a candidate's text: negative if it is too low, {@code NaN} if the text is unknown
     */
    public void look(ArrivalWindow window, Arrival arrival, int maxDistance, ToDoubleFunction<Original> similarity) {
        int until = found.size() + added;
        added = Math.min(2 * added, MOST_ADDED);
        while (hasMore && found.size() < until) {
            int asked = last == null ? ADDED : Math.max(PAGE, until - found.size());
            long after = last == null ? WindowSearch.BEFORE_ALL : WindowSearch.rank(last);
            List<Original> page = window.nearest(arrival, maxDistance, asked, after);
            hasMore = page.size() == asked;
            for (Original match : page) {
                if (found.size() == until) {
                    hasMore = true;
                    break;
                }
                last = match;
                double similar = similarity.applyAsDouble(match);
                if (similar < 0 == false) {
                    found.add(match);
                }
                compared += similar >= 0 ? 0 : 1;
            }
            hasMore &= compared < MOST_COMPARED;
        }
    }
}
