/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.List;
import java.util.concurrent.Semaphore;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.desk.check.RandomDocuments;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectRequest;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectServices;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.simhash.search.ingest.DocumentTexts;

/** A helper that searches indices. Each request holds a thread that waits for searches, so few are answered at once. */
abstract class SearchingAction<R extends SearchingAction.Request> extends HelperAction<R> {

    private static final int MOST_AT_ONCE = 16;

    private final Semaphore free = new Semaphore(MOST_AT_ONCE);

    SearchingAction(String name, InspectServices services) {
        super(name, services);
    }

    abstract static class Request extends InspectRequest implements IndicesRequest.Replaceable {

        private String[] indices;

        Request(RecipeChoice recipe, String[] indices) {
            super(recipe);
            this.indices = indices;
        }

        @Override
        public final String[] indices() {
            return indices;
        }

        @Override
        public final IndicesRequest indices(String... replaced) {
            indices = RequestOnIndices.permitted(replaced);
            return this;
        }

        @Override
        public final IndicesOptions indicesOptions() {
            return SearchRequest.DEFAULT_INDICES_OPTIONS;
        }

        @Override
        public final boolean includeDataStreams() {
            return true;
        }

        /** A search of all documents: a default search pipeline may hide those that share most, and parts would tell wrong shares. */
        final SearchRequest search(SearchSourceBuilder source) {
            return RandomDocuments.searchOf(source, indices).indicesOptions(indicesOptions());
        }
    }

    static String[] paths(List<Fingerprinter> makers) {
        return makers.stream()
                .flatMap(maker -> DocumentTexts.paths(maker.recipe()).stream())
                .distinct()
                .toArray(String[]::new);
    }

    /** Whether a request without an index of this cluster is an error: those of other clusters are none of it. */
    abstract boolean needsIndex(R request);

    /** The recipes of the request. May take seconds. */
    abstract List<Fingerprinter> makers(R request, List<String> indices);

    /** Searches and answers. May block. */
    abstract JsonResponse answer(R request, List<Fingerprinter> makers, List<String> indices, HelperWork work);

    @Override
    final void start(R request, HelperWork work, ActionListener<JsonResponse> listener) {
        work.start(listener, () -> {
            List<String> indices = List.of(
                    services.resolver().concreteIndexNames(services.cluster().state(), request));
            if (indices.isEmpty() && needsIndex(request)) {
                throw new IndexNotFoundException(String.join(",", request.indices()));
            }
            List<Fingerprinter> makers = makers(request, indices);
            if (free.tryAcquire() == false) {
                throw work.refusal("must be one of at most " + MOST_AT_ONCE + " on a node; ask again later");
            }
            ActionListener<JsonResponse> releasing = ActionListener.runBefore(listener, free::release);
            services.client()
                    .threadPool()
                    .generic()
                    .execute(ActionRunnable.supply(releasing, () -> answer(request, makers, indices, work)));
        });
    }
}
