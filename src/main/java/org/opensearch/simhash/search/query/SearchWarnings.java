/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.search.query.FingerprintPresence.SearchedPlace;
import org.opensearch.simhash.search.query.FingerprintPresence.SoughtPrints;
import org.opensearch.simhash.search.warnings.RequestFilter;
import org.opensearch.simhash.search.warnings.RequestWarnings;
import org.opensearch.simhash.search.warnings.WarningFilter;
import org.opensearch.simhash.search.warnings.WarningFilter.CallerContext;

/**
 * Warns in the answer to a search if its {@code simhash} queries cannot find anything, or not all. {@link FingerprintPresence} knows,
 * and asks each half minute. Thread-safe.
 *
 * @param context null until the node is up
 */
public record SearchWarnings(Supplier<ThreadContext> context, FingerprintPresence presence) implements RequestFilter {

    @Override
    public <R> void filter(
            String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed) {
        ThreadContext threads = request instanceof SearchRequest ? context.get() : null;
        if (threads == null || WarningFilter.isOwn(threads) || threads.getTransient(SearchSources.KEY) != null) {
            proceed.accept(listener);
            return;
        }
        SearchRequest search = (SearchRequest) request;
        // The search changes its source before it answers.
        boolean isOfMatchesOnly =
                search.source() != null && requires(search.source().query());
        SearchSources collected = new SearchSources();
        RequestWarnings warnings = RequestWarnings.of(threads);
        CallerContext caller = new CallerContext(threads);
        ActionListener<R> warning = caller.listener(
                response -> {
                    Runnable answer = () -> caller.run(() -> listener.onResponse(response));
                    List<SearchSources.Source> sources = collected.sources();
                    sources.stream()
                            .map(SearchSources.Source::warning)
                            .filter(Objects::nonNull)
                            .forEach(warnings::add);
                    if (response instanceof SearchResponse found) {
                        boolean areFound = isOfMatchesOnly && hasHits(found);
                        Stream<SoughtPrints> wanted = sources.stream()
                                .map(SearchSources.Source::sought)
                                .filter(Objects::nonNull)
                                .map(sought -> sought.in(SearchedPlace.of(search), areFound));
                        explain(wanted.iterator(), warnings, answer);
                    } else {
                        answer.run();
                    }
                },
                listener);
        caller.send(() -> threads.putTransient(SearchSources.KEY, collected), () -> proceed.accept(warning));
    }

    /** Asks one after the other. */
    private void explain(Iterator<SoughtPrints> wanted, RequestWarnings warnings, Runnable answer) {
        if (wanted.hasNext() == false) {
            answer.run();
            return;
        }
        presence.explain(wanted.next(), found -> {
            found.map(sentence -> "[simhash] " + sentence).ifPresent(warnings::add);
            explain(wanted, warnings, answer);
        });
    }

    /** Whether every hit must match a {@code simhash} query. */
    private static boolean requires(QueryBuilder query) {
        return query instanceof PrintQueryBuilder
                || (query instanceof BoolQueryBuilder bool
                        && Stream.concat(bool.must().stream(), bool.filter().stream())
                                .anyMatch(SearchWarnings::requires));
    }

    private static boolean hasHits(SearchResponse response) {
        return response.getHits().getHits().length > 0
                || (response.getHits().getTotalHits() != null
                        && response.getHits().getTotalHits().value() > 0);
    }
}
