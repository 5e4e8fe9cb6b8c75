/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.lucene.search.BooleanClause;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilderVisitor;
import org.opensearch.index.query.QueryCoordinatorContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.Rewriteable;
import org.opensearch.index.reindex.AbstractBulkByScrollRequest;
import org.opensearch.tasks.Task;

/**
 * Resolves {@code simhash} queries of delete, update and copy by query before OpenSearch cuts the request into slices. Each slice
 * is a search of its own. It would fetch the document of an {@code id} by itself, when another slice may have changed or deleted
 * it. Thread-safe. Costs nothing for a request without slices.
 *
 * @param rewriting null until the node is up
 */
public record SlicedQueries(Supplier<QueryRewriteContext> rewriting) implements ActionFilter {

    @Override
    public int order() {
        return Integer.MAX_VALUE; // after the filters that check permissions
    }

    @Override
    public <Request extends ActionRequest, Response extends ActionResponse> void apply(
            Task task,
            String action,
            Request request,
            ActionRequestMetadata<Request, Response> metadata,
            ActionListener<Response> listener,
            ActionFilterChain<Request, Response> chain) {
        SearchRequest search = search(request);
        if (search == null) {
            chain.proceed(task, action, request, listener);
            return;
        }
        QueryRewriteContext coordinator = new QueryCoordinatorContext(rewriting.get(), search);
        ActionListener<QueryBuilder> resolved = ActionListener.wrap(
                query -> {
                    search.source().query(query);
                    chain.proceed(task, action, request, listener);
                },
                listener::onFailure);
        Rewriteable.rewriteAndFetch(search.source().query(), coordinator, resolved);
    }

    /** Null if there is nothing to resolve. */
    private static SearchRequest search(ActionRequest request) {
        if (request instanceof AbstractBulkByScrollRequest<?> byQuery && byQuery.getSlices() != 1) {
            SearchRequest search = byQuery.getSearchRequest();
            QueryBuilder query =
                    search.source() == null ? null : search.source().query();
            return query != null && hasSimHash(query) ? search : null;
        }
        return null;
    }

    private static boolean hasSimHash(QueryBuilder query) {
        AtomicBoolean found = new AtomicBoolean();
        query.visit(new QueryBuilderVisitor() {
            @Override
            public void accept(QueryBuilder part) {
                found.compareAndSet(false, part instanceof PrintQueryBuilder);
            }

            @Override
            public QueryBuilderVisitor getChildVisitor(BooleanClause.Occur occur) {
                return this;
            }
        });
        return found.get();
    }
}
