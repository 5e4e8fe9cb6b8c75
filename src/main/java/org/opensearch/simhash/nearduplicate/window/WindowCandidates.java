/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;

/**
 * The documents of the window that one document may be a near-duplicate of, looked for some at a time: the nearest come first,
 * and what is rejected makes room for the next. One thread at a time.
 */
public final class WindowCandidates {

    /** Candidates that are added at once. */
    private static final int ADDED = 8;

    /** Entries that are asked for at once after the first, which mostly are enough. */
    private static final int PAGE = 64;

    /** Entries that are looked at, or a few more: a bulk of thousands of near texts must end. */
    private static final int MOST = 1_000;

    private final List<Original> found = new ArrayList<>();
    private Original last;
    private int looked;
    private boolean hasMore = true;

    /** The candidates that are left. */
    public List<Original> found() {
        return found;
    }

    /** Whether there may be others, none of them nearer than {@link #reached}. */
    public boolean hasMore() {
        return hasMore;
    }

    /** The distance of the last one looked at; -1 before the first. */
    public int reached() {
        return last == null ? -1 : last.distance();
    }

    /** Adds the next candidates, if there are any; {@code check} gives null for those to be rejected. */
    public void look(ArrivalWindow window, Arrival arrival, int maxDistance, UnaryOperator<Original> check) {
        int added = 0;
        while (hasMore && added < ADDED) {
            int asked = last == null ? ADDED : PAGE;
            long after = last == null ? WindowSearch.BEFORE_ALL : WindowSearch.rank(last);
            List<Original> page = window.nearest(arrival, maxDistance, asked, after);
            hasMore = page.size() == asked;
            for (Original match : page) {
                if (added == ADDED) {
                    hasMore = true;
                    break;
                }
                last = match;
                looked++;
                DocumentName name = arrival.scope().stored(match.name());
                Original candidate = name.sameDocument(arrival.name()) ? null : check.apply(match.named(name));
                if (candidate != null) {
                    found.add(candidate);
                    added++;
                }
            }
            hasMore &= looked < MOST;
        }
    }

    /** Goes through the candidates; {@code check} gives null for those to be rejected. */
    public void check(UnaryOperator<Original> check) {
        found.replaceAll(check);
        found.removeIf(candidate -> candidate == null);
    }
}
