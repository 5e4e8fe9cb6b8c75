/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.search.warnings.RequestFilter;

/** Passes, rejects or holds searches, as an overloaded node does. */
public final class SearchGuard extends Plugin implements ActionPlugin {

    /** The treatment of the next searches. */
    enum Mode {
        PASS,
        REJECT,
        HOLD_ONE,
        HOLD
    }

    private static volatile Mode mode = Mode.PASS;
    private static volatile String guarded = SearchAction.NAME;
    private static volatile CountDownLatch held = new CountDownLatch(1);
    private static final Queue<HeldSearch> WAITING = new ConcurrentLinkedQueue<>();

    private record HeldSearch(Runnable search, CountDownLatch ended) {}

    static void set(Mode newMode) {
        set(newMode, SearchAction.NAME);
    }

    /** Treats another action than searches. */
    static void set(Mode newMode, String newAction) {
        guarded = newAction;
        held = new CountDownLatch(1);
        mode = newMode;
    }

    static void awaitHeld() throws InterruptedException {
        held.await();
    }

    /** Releases a held search and waits for its end. Otherwise the cluster would stop under it. */
    static void release() {
        mode = Mode.PASS;
        List<HeldSearch> released = new ArrayList<>();
        for (HeldSearch held = WAITING.poll(); held != null; held = WAITING.poll()) {
            released.add(held);
            held.search.run();
        }
        for (HeldSearch search : released) {
            try {
                search.ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public List<ActionFilter> getActionFilters() {
        return List.of(new Filter());
    }

    private static final class Filter implements RequestFilter {

        @Override
        public int order() {
            return 0;
        }

        @Override
        public <R> void filter(
                String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed) {
            Mode now = action.equals(guarded) ? mode : Mode.PASS;
            switch (now) {
                case PASS -> proceed.accept(listener);
                case REJECT -> listener.onFailure(new OpenSearchRejectedExecutionException("too many searches"));
                default -> {
                    if (now == Mode.HOLD_ONE) {
                        mode = Mode.PASS;
                    }
                    CountDownLatch ended = new CountDownLatch(1);
                    ActionListener<R> untilEnd = ActionListener.runAfter(listener, ended::countDown);
                    WAITING.add(new HeldSearch(() -> proceed.accept(untilEnd), ended));
                    held.countDown();
                }
            }
        }
    }
}
