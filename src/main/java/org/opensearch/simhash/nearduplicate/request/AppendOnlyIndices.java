/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;
import org.opensearch.tasks.Task;

/**
 * Has documents without an id created where a bulk would index them into append-only indices. The processor gives them ids, and
 * of what has one by then, OpenSearch lets such an index only create documents. To whoever sent the bulk nothing of it shows.
 */
public final class AppendOnlyIndices implements ActionFilter {

    private final BooleanSupplier used;
    private final Supplier<LookupScopes> scopes;

    /**
     * @param used whether a pipeline of this node may give ids
     * @param scopes what names mean now
     */
    public AppendOnlyIndices(BooleanSupplier used, Supplier<LookupScopes> scopes) {
        this.used = used;
        this.scopes = scopes;
    }

    /** Before the filters that look at what bulks do, so that it sees their answers last, each item in its place. */
    @Override
    public int order() {
        return Integer.MAX_VALUE - 1;
    }

    @Override
    public <Request extends ActionRequest, Response extends ActionResponse> void apply(
            Task task,
            String action,
            Request request,
            ActionRequestMetadata<Request, Response> metadata,
            ActionListener<Response> listener,
            ActionFilterChain<Request, Response> chain) {
        boolean isConcerned = action.equals(BulkAction.NAME) && used.getAsBoolean();
        chain.proceed(
                task,
                action,
                request,
                isConcerned && request instanceof BulkRequest bulk ? renaming(bulk, listener) : listener);
    }

    private <Response extends ActionResponse> ActionListener<Response> renaming(
            BulkRequest request, ActionListener<Response> listener) {
        BitSet created = create(request.requests(), scopes.get());
        return created.isEmpty()
                ? listener
                : ActionListener.delegateFailure(listener, (l, response) -> {
                    if (response instanceof BulkResponse bulk) {
                        callIndexed(bulk.getItems(), created);
                    }
                    l.onResponse(response);
                });
    }

    /** Without an id, either kind makes a new document. */
    private static BitSet create(List<DocWriteRequest<?>> requests, LookupScopes scopes) {
        BitSet created = new BitSet();
        for (int place = 0; place < requests.size(); place++) {
            if (requests.get(place) instanceof IndexRequest document
                    && document.id() == null
                    && document.opType() == OpType.INDEX
                    && scopes.isAppendOnly(document.index())) {
                document.opType(OpType.CREATE);
                created.set(place);
            }
        }
        return created;
    }

    private static void callIndexed(BulkItemResponse[] items, BitSet created) {
        created.stream().filter(place -> place < items.length).forEach(place -> {
            BulkItemResponse item = items[place];
            if (item.getOpType() == OpType.CREATE) {
                items[place] = item.isFailed()
                        ? new BulkItemResponse(item.getItemId(), OpType.INDEX, item.getFailure())
                        : new BulkItemResponse(item.getItemId(), OpType.INDEX, item.<DocWriteResponse>getResponse());
            }
        });
    }
}
