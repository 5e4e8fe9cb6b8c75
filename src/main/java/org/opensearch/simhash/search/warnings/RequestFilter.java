/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.warnings;

import java.util.function.Consumer;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/** Looks at the requests of a node after the filters that check permissions. Thread-safe. */
public interface RequestFilter extends ActionFilter {

    @Override
    default int order() {
        return Integer.MAX_VALUE;
    }

    @Override
    default <Request extends ActionRequest, Response extends ActionResponse> void apply(
            Task task,
            String action,
            Request request,
            ActionRequestMetadata<Request, Response> metadata,
            ActionListener<Response> listener,
            ActionFilterChain<Request, Response> chain) {
        filter(action, request, listener, answered -> chain.proceed(task, action, request, answered));
    }

    /** @param proceed goes on with the request, for this listener or another one */
    <R> void filter(
            String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed);
}
