/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.List;
import java.util.function.LongConsumer;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/**
 * Gives each bulk a {@link BulkTally}, and counts the indexed documents of its answer. A forwarded bulk comes here
 * again on the node that ingests it.
 *
 * @param memory accounts for what is known of a bulk until its answer
 */
public record TallyFilter(FingerprintCounts counts, LongConsumer memory) implements ActionFilter {

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
        if (action.equals(BulkAction.NAME) == false) {
            chain.proceed(task, action, request, listener);
            return;
        }
        ThreadContext context = counts.context().get();
        // A bulk may be sent in the context of another one.
        StoredContext before = context.newStoredContext(true, List.of(BulkTally.KEY));
        try {
            BulkTally tally = new BulkTally(memory);
            context.putTransient(BulkTally.KEY, tally);
            chain.proceed(task, action, request, ActionListener.runBefore(counting(tally, listener), tally::close));
        } finally {
            before.restore();
        }
    }

    private <Response> ActionListener<Response> counting(BulkTally tally, ActionListener<Response> listener) {
        return ActionListener.delegateFailure(listener, (l, response) -> {
            if (response instanceof BulkResponse bulk) {
                counts.documents().add(FingerprintCount.INDEXED, tally.indexed(bulk.getItems()));
            }
            l.onResponse(response);
        });
    }
}
