/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ingest.SimulatePipelineAction;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.search.warnings.RequestFilter;

/**
 * Marks {@code _simulate} requests. Their documents are looked up, but never indexed, and must not become originals.
 *
 * @param context once the node has started
 */
public record Simulations(Supplier<ThreadContext> context) implements RequestFilter {

    private static final String MARK = "_simhash_simulation";

    public static boolean isMarked(ThreadContext context) {
        return context.getTransient(MARK) != null;
    }

    @Override
    public <R> void filter(
            String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed) {
        if (action.equals(SimulatePipelineAction.NAME) && isMarked(context.get()) == false) {
            ThreadContext.StoredContext before = context.get().newStoredContext(true);
            try {
                context.get().putTransient(MARK, true);
                proceed.accept(listener);
            } finally {
                before.restore();
            }
        } else {
            proceed.accept(listener);
        }
    }
}
