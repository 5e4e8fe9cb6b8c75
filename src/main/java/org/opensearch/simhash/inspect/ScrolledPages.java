/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.function.Predicate;
import org.opensearch.action.search.ClearScrollRequest;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchScrollRequest;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.SearchHit;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Reads a scroll page by page, off the transport threads, and clears it at the end. */
final class ScrolledPages {

    private final Client client;
    private final HelperWork work;
    private final Client pages;
    private final SearchRequest search;
    private final Predicate<SearchHit[]> reader;
    private final ActionListener<Void> listener;
    private String scrollId;

    private ScrolledPages(
            Client client,
            HelperWork work,
            TaskId task,
            SearchRequest search,
            Predicate<SearchHit[]> reader,
            ActionListener<Void> listener) {
        this.client = client;
        this.work = work;
        this.pages = new ParentTaskAssigningClient(client, task);
        this.search = search;
        this.reader = reader;
        this.listener = ActionListener.runBefore(listener, this::close);
    }

    /**
     * Reads until there are no more hits, or the reader wants none.
     *
     * @param work each page is one of its steps
     * @param task cancels the searches
     * @param search with a keep-alive for its scroll
     * @param reader receives each page with hits; returns whether it wants another
     */
    static void read(
            Client client,
            HelperWork work,
            TaskId task,
            SearchRequest search,
            Predicate<SearchHit[]> reader,
            ActionListener<Void> listener) {
        ScrolledPages pages = new ScrolledPages(client, work, task, search, reader, listener);
        pages.pages.search(search, ActionListener.wrap(pages::readLater, pages.listener::onFailure));
    }

    private void readLater(SearchResponse page) {
        scrollId = page.getScrollId();
        work.next(listener, () -> read(page));
    }

    private void read(SearchResponse page) {
        requireAllShards(page);
        SearchHit[] hits = page.getHits().getHits();
        if (hits.length == 0 || reader.test(hits) == false) {
            listener.onResponse(null);
        } else {
            pages.searchScroll(
                    new SearchScrollRequest(scrollId).scroll(search.scroll()),
                    ActionListener.wrap(this::readLater, listener::onFailure));
        }
    }

    /**
     * Requires the answers of all shards: shares of a partial sample would be wrong.
     *
     * @throws SearchPhaseExecutionException if a shard failed
     */
    static void requireAllShards(SearchResponse page) {
        if (page.getFailedShards() > 0) {
            throw new SearchPhaseExecutionException(
                    "sample", "a shard failed while documents were sampled", page.getShardFailures());
        }
    }

    private void close() {
        if (scrollId != null) {
            ClearScrollRequest clear = new ClearScrollRequest();
            clear.addScrollId(scrollId);
            client.clearScroll(clear, ActionListener.wrap(cleared -> {}, e -> {}));
        }
    }
}
