/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.warnings;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.action.ActionListener;

/**
 * The context in which a request was made. It gets the answer, on whatever thread that comes, with the headers of that thread, and
 * without what was put into the context for the request. Thread-safe.
 */
public final class CallerContext {

    private final ThreadContext threads;
    private final Supplier<StoredContext> context;

    private CallerContext(ThreadContext threads) {
        this.threads = threads;
        this.context = threads.newRestorableContext(true);
    }

    /** That of this thread. */
    public static CallerContext of(ThreadContext threads) {
        return new CallerContext(threads);
    }

    /** Runs something in this context, then comes back to that of the thread. */
    public void run(Runnable work) {
        StoredContext inside = context.get();
        try {
            work.run();
        } finally {
            inside.restore();
        }
    }

    /** Sends a request in a context to which something is added; this thread has its own again behind that. */
    public void send(Runnable adding, Runnable request) {
        StoredContext before = threads.newStoredContext(true);
        try {
            adding.run();
            request.run();
        } finally {
            before.restore();
        }
    }

    /** A listener that tells another one of failures in this context, and gives responses to somebody who is to do so. */
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
