/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ingest.SimulatePipelineAction;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/**
 * Marks {@code _simulate} requests. Their documents are looked up, but never indexed, and must not become originals.
 *
 * @param context once the node has started
 */
public record Simulations(Supplier<ThreadContext> context) implements ActionFilter {

    private static final String MARK = "_simhash_simulation";

    public static boolean isMarked(ThreadContext context) {
        return context.getTransient(MARK) != null;
    }

    @Override
    public int order() {
        return Integer.MAX_VALUE;
    }

    @Override
    public <Request extends ActionRequest, Response extends ActionResponse> void apply(
            Task task,
            String action,
            Request request,
            ActionRequestMetadata<Request, Response> metadata,
            ActionListener<Response> listener,
            ActionFilterChain<Request, Response> chain) {
        if (action.equals(SimulatePipelineAction.NAME) && isMarked(context.get()) == false) {
            ThreadContext.StoredContext before = context.get().newStoredContext(true);
            try {
                context.get().putTransient(MARK, true);
                chain.proceed(task, action, request, listener);
            } finally {
                before.restore();
            }
        } else {
            chain.proceed(task, action, request, listener);
        }
    }
}
