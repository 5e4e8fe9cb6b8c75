/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.warnings;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.reindex.AbstractBulkByScrollRequest;

/**
 * Collects the {@link RequestWarnings} of a request, and adds them to the headers of its answer. A request inside
 * another one adds to the outer one. Thread-safe; very cheap.
 *
 * @param context the node's thread context, once it is up
 */
public record WarningFilter(Supplier<ThreadContext> context) implements RequestFilter {

    private static final String OWN = "_simhash_own_searches";
    private static final String OWN_ACTIONS = "/simhash/";

    /** Whether the search is the plugin's own; nobody reads its warnings. */
    public static boolean isOwn(ThreadContext context) {
        return context.getTransient(OWN) != null;
    }

    public static void sendOwn(ThreadContext context, Runnable search) {
        new CallerContext(context).send(() -> markOwn(context), search);
    }

    private static void markOwn(ThreadContext context) {
        if (isOwn(context) == false) {
            context.putTransient(OWN, true);
        }
    }

    @Override
    public int order() {
        return Integer.MAX_VALUE - 1; // after security filters, before the plugin's other filters
    }

    @Override
    public <R> void filter(
            String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed) {
        boolean searchesItself = request instanceof BulkRequest || action.contains(OWN_ACTIONS);
        boolean mayWarn = searchesItself
                || request instanceof SearchRequest
                || request instanceof MultiSearchRequest
                || request instanceof AbstractBulkByScrollRequest<?>;
        if (mayWarn == false) {
            proceed.accept(listener);
            return;
        }
        ThreadContext threads = context.get();
        boolean isOutermost = threads.getTransient(RequestWarnings.KEY) == null;
        if (isOutermost == false && (searchesItself == false || isOwn(threads))) {
            proceed.accept(listener);
            return;
        }
        RequestWarnings warnings = isOutermost ? new RequestWarnings() : RequestWarnings.of(threads);
        CallerContext caller = new CallerContext(threads);
        ActionListener<R> warning = caller.listener(
                response -> {
                    if (isOutermost) {
                        warnings.end(() -> caller.run(() -> {
                            warnings.deliver(threads);
                            listener.onResponse(response);
                        }));
                    } else {
                        caller.run(() -> listener.onResponse(response));
                    }
                },
                listener);
        caller.send(
                () -> {
                    if (isOutermost) {
                        threads.putTransient(RequestWarnings.KEY, warnings);
                    }
                    if (searchesItself) {
                        markOwn(threads);
                    }
                },
                () -> proceed.accept(warning));
    }

    /**
     * The thread context of a request. Its answer is delivered in this context from any thread, with that thread's response
     * headers and without what was added for the request. Thread-safe.
     */
    public static final class CallerContext {

        private final ThreadContext threads;
        private final Supplier<StoredContext> context;

        public CallerContext(ThreadContext threads) {
            this.threads = threads;
            this.context = threads.newRestorableContext(true);
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
}
