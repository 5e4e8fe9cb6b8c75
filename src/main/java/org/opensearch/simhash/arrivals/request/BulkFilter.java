/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer.ItemAnswer;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.search.ingest.FingerprintCounts.BulkTally;
import org.opensearch.simhash.search.warnings.RequestFilter;

/**
 * Sorts the answers of bulks, see {@link BulkAnswers#sort}. On a node with {@code near_duplicate} processors it also
 *
 * <ul>
 *   <li>changes bulks for append-only indices,
 *   <li>gives the documents of updates their index and id,
 *   <li>puts {@link BulkChanges} into the context, on the breaker until the bulk is answered,
 *   <li>opens and closes the {@link BulkAnswer}.
 * </ul>
 *
 * <p>A forwarded bulk passes again, on the node that ingests it.
 *
 * @param used whether the node may have such a processor
 * @param threadContext once the node has started
 */
public record BulkFilter(
        BooleanSupplier used,
        Supplier<LookupScopes> scopes,
        Supplier<ThreadContext> threadContext,
        LongConsumer memory,
        BiConsumer<BulkAnswer, List<ItemAnswer>> window)
        implements RequestFilter {

    @Override
    public <R> void filter(
            String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed) {
        if (action.equals(BulkAction.NAME) == false) {
            proceed.accept(listener);
        } else if (used.getAsBoolean() && request instanceof BulkRequest bulk) {
            ActionListener<R> renaming = creating(bulk.requests(), listener);
            complete(bulk);
            ThreadContext context = threadContext.get();
            // A bulk may be sent while another one is handled, in its context.
            StoredContext before = context.newStoredContext(true, List.of(BulkChanges.KEY, BulkAnswers.KEY));
            long bytes = BulkChanges.bytes(bulk);
            Account taken = new Account(memory);
            boolean accounted = bytes > 0 && fit(bytes, taken);
            try {
                if (bytes > 0) {
                    context.putTransient(BulkChanges.KEY, accounted ? BulkChanges.of(bulk) : BulkChanges.unknown(bulk));
                }
                BulkAnswer answer = BulkAnswers.begin(context);
                ActionListener<R> telling = BulkAnswers.telling(answer, window, sorting(renaming));
                ActionListener<R> answering =
                        ActionListener.notifyOnce(ActionListener.runBefore(telling, taken::close));
                BulkTally.of(context).failBy(e -> {
                    answer.give(); // nothing of it is stored
                    answering.onFailure(e);
                });
                proceed.accept(answering);
            } finally {
                before.restore();
            }
        } else {
            proceed.accept(sorting(listener));
        }
    }

    private static <Response> ActionListener<Response> sorting(ActionListener<Response> listener) {
        return BulkAnswers.first(BulkAnswers::sort, listener);
    }

    private static boolean fit(long bytes, Account memory) {
        try {
            memory.take(bytes);
            return true;
        } catch (CircuitBreakingException e) {
            return false;
        }
    }

    /** As OpenSearch does before it sends an update to another node. */
    private static void complete(BulkRequest bulk) {
        for (DocWriteRequest<?> request : bulk.requests()) {
            if (request instanceof UpdateRequest update) {
                update.getChildIndexRequests()
                        .forEach(child -> child.index(update.index()).id(update.id()));
            }
        }
    }

    /**
     * Turns {@code index} into {@code create} for documents without an id in append-only indices; without an id, both make a new
     * document. The processor gives them ids, and such an index only lets documents with ids be created. The answer says {@code index}
     * again: must see it last.
     */
    private <Response> ActionListener<Response> creating(
            List<DocWriteRequest<?>> requests, ActionListener<Response> listener) {
        LookupScopes now = scopes.get();
        BitSet created = new BitSet();
        for (int place = 0; place < requests.size(); place++) {
            if (requests.get(place) instanceof IndexRequest document
                    && document.id() == null
                    && document.opType() == OpType.INDEX
                    && now.isAppendOnly(document.index())) {
                document.opType(OpType.CREATE);
                created.set(place);
            }
        }
        return created.isEmpty() ? listener : BulkAnswers.first(items -> callIndexed(items, created), listener);
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
