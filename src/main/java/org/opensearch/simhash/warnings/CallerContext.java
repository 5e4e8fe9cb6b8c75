/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.warnings;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.action.ActionListener;

/**
 * The thread context of a request. Its answer is delivered in this context from any thread, with that thread's response
 * headers and without what was added for the request. Thread-safe.
 */
public final class CallerContext {

    private final ThreadContext threads;
    private final Supplier<StoredContext> context;

    private CallerContext(ThreadContext threads) {
        this.threads = threads;
        this.context = threads.newRestorableContext(true);
    }

    /** The context of this thread. */
    public static CallerContext of(ThreadContext threads) {
        return new CallerContext(threads);
    }

    /** Runs work in this context, then restores the thread's own. */
    public void run(Runnable work) {
        StoredContext inside = context.get();
        try {
            work.run();
        } finally {
            inside.restore();
        }
    }

    /** Sends a request in a context with additions; this thread keeps its own. */
    public void send(Runnable adding, Runnable request) {
        StoredContext before = threads.newStoredContext(true);
        try {
            adding.run();
            request.run();
        } finally {
            before.restore();
        }
    }

    /** A listener that passes failures on in this context, and responses to a handler that does so itself. */
    public <Response> ActionListener<Response> listener(
            Consumer<Response> response, ActionListener<Response> listener) {
        return new ActionListener<>() {
            @Override
            public void onResponse(Response answer) {
                response.accept(answer);
            }

            @Override
            public void onFailure(Exception e) {
                run(() -> listener.onFailure(e));
            }
        };
    }
}
