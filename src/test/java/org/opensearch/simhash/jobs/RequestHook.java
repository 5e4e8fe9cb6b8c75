/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.search.warnings.RequestFilter;

/** A test sees requests before they are carried out, refuses them, or answers them in the place of the node. */
public final class RequestHook extends Plugin implements ActionPlugin {

    private static volatile Function<ActionRequest, ActionResponse> hook = request -> null;

    /** @param next is given each request; null where it is to be carried out; what it throws is the answer */
    public static void set(Function<ActionRequest, ActionResponse> next) {
        hook = next;
    }

    /** @param next is given each bulk request before it is carried out; what it throws is the answer */
    public static void onBulks(Consumer<BulkRequest> next) {
        set(request -> {
            if (request instanceof BulkRequest bulk) {
                next.accept(bulk);
            }
            return null;
        });
    }

    /** An answer that all of it has failed. */
    public static BulkResponse failed(BulkRequest bulk, RestStatus status) {
        OpenSearchStatusException cause = new OpenSearchStatusException("as told", status);
        return new BulkResponse(
                bulk.requests().stream()
                        .map(item -> new BulkItemResponse(
                                0, item.opType(), new BulkItemResponse.Failure(item.index(), item.id(), cause)))
                        .toArray(BulkItemResponse[]::new),
                1);
    }

    public static void clear() {
        hook = request -> null;
    }

    @Override
    public List<ActionFilter> getActionFilters() {
        return List.of(new RequestFilter() {
            @Override
            public int order() {
                return 1;
            }

            @Override
            @SuppressWarnings("unchecked")
            public <R> void filter(
                    String action,
                    ActionRequest request,
                    ActionListener<R> listener,
                    Consumer<ActionListener<R>> proceed) {
                ActionResponse answer;
                try {
                    answer = hook.apply(request);
                } catch (RuntimeException e) {
                    listener.onFailure(e);
                    return;
                }
                if (answer == null) {
                    proceed.accept(listener);
                } else {
                    listener.onResponse((R) answer);
                }
            }
        });
    }
}
