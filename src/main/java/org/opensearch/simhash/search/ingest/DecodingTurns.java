/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;

/**
 * The order in which images are decoded: fair queueing. An image is due when all clients that wait would have had as much time as it
 * costs and as those of its client before it cost. So a small image waits for the one that runs, whatever others have sent. Thread-safe.
 *
 * <p>Work that cannot be done in time is refused before it waits.
 */
final class DecodingTurns {

    /** What a client has in the queue. */
    private static final class Client {
        private double due;
        private int waiting;
    }

    private record Image(Object client, long cost, double due, Runnable work) {}

    private final Executor threads;
    private final Supplier<TimeValue> budget;
    private final PriorityQueue<Image> waiting = new PriorityQueue<>(Comparator.comparingDouble(Image::due));
    private final Map<Object, Client> clients = new HashMap<>();
    private double now;

    /**
     * @param threads run the work, one task for each image; one that has no room refuses it
     * @param budget of a bulk and of the images of a client that wait
     */
    DecodingTurns(Executor threads, Supplier<TimeValue> budget) {
        this.threads = threads;
        this.budget = budget;
    }

    /**
     * Runs the work on another thread, in its turn.
     *
     * @param from who sends it, equal to itself only
     * @param cost in nanoseconds, about
     * @throws OpenSearchRejectedExecutionException if too much of the client, or of all, waits
     */
    synchronized void add(Object from, long cost, Runnable work) {
        Client client = clients.computeIfAbsent(from, any -> new Client());
        double start = Math.max(now, client.due);
        Image image = new Image(from, cost, start + cost, work);
        client.due = image.due;
        client.waiting++;
        waiting.add(image);
        try {
            requireBudget((long) (start - now));
            threads.execute(() -> next().work.run());
        } catch (OpenSearchRejectedExecutionException e) {
            client.due = start;
            leave(image);
            throw e;
        }
    }

    private synchronized Image next() {
        Image image = waiting.element();
        now += (double) image.cost / clients.size();
        leave(image);
        return image;
    }

    private void leave(Image image) {
        waiting.remove(image);
        if (--clients.get(image.client).waiting == 0) {
            clients.remove(image.client);
        }
    }

    /** @throws OpenSearchRejectedExecutionException if more nanoseconds than the budget were taken, or wait */
    void requireBudget(long nanoseconds) {
        if (nanoseconds > budget.get().nanos()) {
            throw new OpenSearchRejectedExecutionException(
                    "the images of a bulk, or of a client, must be decoded in at most ["
                            + ImageHashProcessor.MAX_BULK_TIME.getKey() + "] " + budget.get()
                            + " of a processor's time, got more: send fewer at once");
        }
    }
}
