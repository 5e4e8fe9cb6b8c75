/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.round;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.common.util.concurrent.ListenableFuture;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.lookup.NodeLookups;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;

/** The undecided rounds in the window, by the numbers of their documents. Thread-safe. */
public final class RoundsUnderWay {

    /** A round's numbers, and a future that completes with its decision. */
    record Entered(long first, long last, ListenableFuture<Void> decided) {}

    private final ArrivalWindow window;
    private final TreeMap<Long, Entered> undecided = new TreeMap<>();

    public RoundsUnderWay(ArrivalWindow window) {
        this.window = window;
    }

    /** Enters documents with consecutive numbers. */
    synchronized Entered enter(List<Arrival> arrivals) {
        long first = window.admit(arrivals);
        for (int i = 0; i < arrivals.size(); i++) {
            arrivals.get(i).numbered(first + i);
        }
        Entered place = new Entered(first, first + arrivals.size() - 1, new ListenableFuture<>());
        undecided.put(first, place);
        return place;
    }

    /** Ends a round whose outcomes are in the window. */
    void leave(Entered place) {
        synchronized (this) {
            undecided.remove(place.first(), place);
        }
        place.decided().onResponse(null);
    }

    /**
     * Runs something after the rounds of some entries are decided; now, on the calling thread, if they are. Rounds wait
     * only for earlier ones, so none waits for ever.
     *
     * @param onFailure gets errors of {@code then} on another thread, and the node's shutdown
     */
    public void whenDecided(
            Collection<Long> numbers, NodeLookups lookups, Runnable then, Consumer<Exception> onFailure) {
        Set<Entered> places = places(numbers);
        if (places.isEmpty()) {
            then.run();
            return;
        }
        ThreadContext context = lookups.threadContext();
        Runnable inContext = context.preserveContext(then);
        ActionListener<Void> all = new GroupedActionListener<>(
                ActionListener.wrap(nothing -> lookups.fork(inContext, onFailure), onFailure), places.size());
        places.forEach(
                place -> place.decided().addListener(all, OpenSearchExecutors.newDirectExecutorService(), context));
    }

    private synchronized Set<Entered> places(Collection<Long> numbers) {
        Set<Entered> places = new HashSet<>();
        for (long number : numbers) {
            Entry<Long, Entered> entry = undecided.floorEntry(number);
            if (entry != null && entry.getValue().last() >= number) {
                places.add(entry.getValue());
            }
        }
        return places;
    }
}
