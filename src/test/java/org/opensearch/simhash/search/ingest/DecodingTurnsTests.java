/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.opensearch.ExceptionsHelper;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.OpenSearchTestCase;

public class DecodingTurnsTests extends OpenSearchTestCase {

    private static final long MILLISECOND = 1_000_000;

    /** What the threads were given and have not run. */
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    private final List<String> done = new ArrayList<>();
    private TimeValue budget = TimeValue.timeValueMinutes(1);
    private int room = Integer.MAX_VALUE;

    private final DecodingTurns turns = new DecodingTurns(
            task -> {
                if (tasks.size() >= room) {
                    throw new OpenSearchRejectedExecutionException("full");
                }
                tasks.add(task);
            },
            () -> budget);

    public void testBulksAreServedInTurn() {
        for (int i = 0; i < 4; i++) {
            add("first", 10);
        }
        add("second", 10);
        add("second", 10);
        run();
        assertEquals(List.of("first", "second", "first", "second", "first", "first"), done);
    }

    /** Of others whom nobody knows, too. */
    public void testSmallImageWaitsForNoLargeOne() {
        for (int i = 0; i < 40; i++) {
            add("bulk", 750);
            add("alone " + i, 750);
        }
        tasks.remove().run();
        tasks.remove().run();
        done.clear();
        add("small", 1);
        add("photograph", 100);
        run();
        assertEquals(List.of("small", "photograph"), done.subList(0, 2));
        assertEquals(80, done.size());
    }

    public void testLargeImageIsDecodedHoweverManySmallOnesCome() {
        add("large", 500);
        int small = 0;
        while (done.contains("large") == false) {
            add("small " + small++, 10);
            tasks.remove().run();
        }
        assertEquals(99, small, 5);
    }

    public void testWhatIsBehindTheBudgetIsRefusedAtOnce() {
        budget = TimeValue.timeValueMillis(100);
        add("bulk", 90);
        add("bulk", 90);
        OpenSearchRejectedExecutionException e =
                expectThrows(OpenSearchRejectedExecutionException.class, () -> add("bulk", 1));
        assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(e));
        assertEquals(
                "the images of a bulk, or of a client, must be decoded in at most"
                        + " [plugins.simhash.image_hash.max_bulk_time] 100ms of a processor's time, got more: send fewer at once",
                e.getMessage());
        add("other", 500);
        run();
        add("bulk", 90);
        run();
        assertEquals(List.of("bulk", "bulk", "other", "bulk"), done);
    }

    public void testClientIsNotRefusedForWhatWasDecoded() {
        budget = TimeValue.timeValueMillis(100);
        for (int i = 0; i < 5; i++) {
            add("steady", 10);
        }
        for (int i = 0; i < 100; i++) {
            add("steady", 10);
            tasks.remove().run();
        }
        assertEquals(100, done.size());
    }

    public void testFullQueueRefusesTheImageThatComes() {
        room = 2;
        add("bulk", 500);
        add("bulk", 500);
        assertEquals(
                "full",
                expectThrows(OpenSearchRejectedExecutionException.class, () -> add("small", 1))
                        .getMessage());
        tasks.remove().run();
        add("small", 1);
        run();
        assertEquals(List.of("bulk", "small", "bulk"), done);
    }

    private void add(String client, long milliseconds) {
        turns.add(client, milliseconds * MILLISECOND, () -> done.add(client));
    }

    private void run() {
        while (tasks.isEmpty() == false) {
            tasks.remove().run();
        }
    }
}
