/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.List;
import java.util.function.Consumer;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.tasks.Task;

/** A test sees bulk requests before they are carried out, and may refuse them. */
public final class BulkHook extends Plugin implements ActionPlugin {

    private static volatile Consumer<BulkRequest> hook = request -> {};

    /** @param next is given each request; what it throws is the answer */
    static void set(Consumer<BulkRequest> next) {
        hook = next;
    }

    static void clear() {
        hook = request -> {};
    }

    @Override
    public List<ActionFilter> getActionFilters() {
        return List.of(new ActionFilter() {
            @Override
            public int order() {
                return 0;
            }

            @Override
            public <Request extends ActionRequest, Response extends ActionResponse> void apply(
                    Task task,
                    String action,
                    Request request,
                    ActionRequestMetadata<Request, Response> metadata,
                    ActionListener<Response> listener,
                    ActionFilterChain<Request, Response> chain) {
                if (request instanceof BulkRequest bulk) {
                    try {
                        hook.accept(bulk);
                    } catch (RuntimeException e) {
                        listener.onFailure(e);
                        return;
                    }
                }
                chain.proceed(task, action, request, listener);
            }
        });
    }
}
