/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.lucene.search.BooleanClause;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilderVisitor;
import org.opensearch.index.query.QueryCoordinatorContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.Rewriteable;
import org.opensearch.index.reindex.AbstractBulkByScrollRequest;
import org.opensearch.simhash.search.warnings.RequestFilter;

/**
 * Resolves {@code simhash} queries of delete, update and copy by query before OpenSearch cuts the request into slices. Each slice
 * is a search of its own. It would fetch the document of an {@code id} by itself, when another slice may have changed or deleted
 * it. Thread-safe. Costs nothing for a request without slices.
 *
 * @param rewriting null until the node is up
 */
public record SlicedQueries(Supplier<QueryRewriteContext> rewriting) implements RequestFilter {

    @Override
    public <R> void filter(
            String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed) {
        SearchRequest search = search(request);
        if (search == null) {
            proceed.accept(listener);
            return;
        }
        QueryRewriteContext coordinator = new QueryCoordinatorContext(rewriting.get(), search);
        ActionListener<QueryBuilder> resolved = ActionListener.wrap(
                query -> {
                    search.source().query(query);
                    proceed.accept(listener);
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
