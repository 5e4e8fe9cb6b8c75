/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchService;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.fingerprint.UnreadableTextException;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.query.SearchedIndices;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/**
 * Reads a {@link RandomSample} of an index page by page and counts shared features. The same index gives the same
 * proposal. Cancellable between pages. Pages are counted off the transport threads.
 */
public final class TransportFeatureWeightsAction
        extends HandledTransportAction<FeatureWeightsAction.Request, FeatureWeightsAction.Response> {

    private static final TimeValue KEEP_ALIVE = TimeValue.timeValueMinutes(2);
    /** Longest turn before other requests may have the thread. */
    private static final long TURN_NANOS = 100_000_000;
    /** Twenty times the slowest analyzer of OpenSearch. */
    private static final long NANOS_PER_CHARACTER = 20_000;

    private final InspectServices services;

    @Inject
    public TransportFeatureWeightsAction(InspectServices services) {
        super(FeatureWeightsAction.NAME, services.transport(), services.filters(), FeatureWeightsAction.Request::new);
        this.services = services;
    }

    @Override
    protected void doExecute(
            Task task, FeatureWeightsAction.Request request, ActionListener<FeatureWeightsAction.Response> listener) {
        // Each page adds its own response headers, hundreds in all.
        ActionListener<FeatureWeightsAction.Response> withoutHeaders =
                ContextPreservingActionListener.wrapPreservingContext(
                        listener, services.client().threadPool().getThreadContext());
        HelperWork work = services.work(task);
        ActionListener<FeatureWeightsAction.Response> holding = work.holding(request.bytes(), withoutHeaders);
        // Making analyzers may take seconds.
        work.start(holding, () -> start((CancellableTask) task, request, work, holding));
    }

    private void start(
            CancellableTask task,
            FeatureWeightsAction.Request request,
            HelperWork work,
            ActionListener<FeatureWeightsAction.Response> listener) {
        List<String> indices = Arrays.asList(
                services.resolver().concreteIndexNames(services.cluster().state(), request));
        if (indices.isEmpty() && request.recipe().isGiven() == false) {
            // The pattern matches no index. The error about a missing recipe would hide that.
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        List<Fingerprinter> fingerprinters =
                request.recipe().resolve(services.recipes(), FingerprintFields.DEFAULT_OBJECT, indices);
        new Sampling(task, request, work, indices, fingerprinters, listener).start();
    }

    /** At most what the cluster allows. */
    private TimeValue keepAlive() {
        TimeValue most = services.cluster().getClusterSettings().get(SearchService.MAX_KEEPALIVE_SETTING);
        return most.compareTo(KEEP_ALIVE) < 0 ? most : KEEP_ALIVE;
    }

    /** One request's way through the pages. */
    private final class Sampling {

        private final CancellableTask task;
        private final HelperWork work;
        private final TaskId taskId;
        private final Client searching;
        private final Account names = new Account(services.memory());
        /** Bytes of the current page. */
        private final Account sources = new Account(services.memory());

        private final RandomSample sample;
        private final List<Fingerprinter> fingerprinters;
        private final SharedFeatures shared;
        private final ActionListener<FeatureWeightsAction.Response> listener;
        private long counted;
        private long countedNanos;

        Sampling(
                CancellableTask task,
                FeatureWeightsAction.Request request,
                HelperWork work,
                List<String> indices,
                List<Fingerprinter> fingerprinters,
                ActionListener<FeatureWeightsAction.Response> listener) {
            this.task = task;
            this.work = work;
            this.taskId = new TaskId(services.transport().getLocalNode().getId(), task.getId());
            this.searching = new ParentTaskAssigningClient(services.client(), taskId);
            Metadata metadata = services.cluster().state().metadata();
            int mostHits = SearchedIndices.mostHits(metadata, indices);
            int shards = SearchedIndices.shards(metadata, indices);
            this.sample = new RandomSample(request, keepAlive(), mostHits, shards, names);
            this.fingerprinters = fingerprinters;
            this.shared = new SharedFeatures(request.maxDocumentShare(), work);
            this.listener = ActionListener.runBefore(listener, () -> {
                shared.close();
                names.close();
                sources.close();
            });
        }

        void start() {
            ScrolledPages.read(
                    services.client(),
                    work,
                    taskId,
                    sample.scores(),
                    hits -> {
                        checkCancelled();
                        return sample.addScores(hits);
                    },
                    ActionListener.wrap(scored -> readDocuments(), listener::onFailure));
        }

        private void readDocuments() {
            String[] paths = fingerprinters.stream()
                    .flatMap(fingerprinter -> DocumentTexts.paths(fingerprinter.recipe()).stream())
                    .distinct()
                    .toArray(String[]::new);
            readNext(sample.documents(paths));
        }

        private void readNext(Iterator<SearchRequest> searches) {
            checkCancelled();
            if (searches.hasNext()) {
                searching.search(
                        searches.next(),
                        ActionListener.wrap(
                                page -> work.next(listener, () -> {
                                    ScrolledPages.requireAllShards(page);
                                    count(page.getHits().getHits(), searches);
                                }),
                                listener::onFailure));
            } else {
                listener.onResponse(new FeatureWeightsAction.Response(shared.documents(), shared.propose()));
            }
        }

        private void checkCancelled() {
            if (task.isCancelled()) {
                throw new TaskCancelledException("cancelled after " + shared.documents() + " documents");
            }
        }

        private void count(SearchHit[] hits, Iterator<SearchRequest> searches) {
            for (SearchHit hit : hits) {
                sources.take(hit.hasSource() ? hit.getSourceRef().length() : 0);
            }
            countFrom(0, hits, searches);
        }

        /** Counts in turns with other requests. */
        private void countFrom(int first, SearchHit[] hits, Iterator<SearchRequest> searches) {
            long end = System.nanoTime() + TURN_NANOS;
            for (int i = first; i < hits.length; i++) {
                if (System.nanoTime() > end) {
                    int rest = i;
                    work.next(listener, () -> countFrom(rest, hits, searches));
                    return;
                }
                checkCancelled();
                work.begin();
                add(hits[i]);
                requireSpeed();
            }
            sources.close();
            readNext(searches);
        }

        /** Uses the first recipe that finds text. A document that no recipe can read is left out. */
        private void add(SearchHit hit) {
            if (hit.hasSource() == false) {
                return;
            }
            for (Fingerprinter fingerprinter : fingerprinters) {
                Optional<SourceTexts> texts =
                        DocumentTexts.readable(fingerprinter.recipe(), SourceLookup.sourceAsMap(hit.getSourceRef()));
                if (texts.isPresent() && count(fingerprinter, texts.get())) {
                    return;
                }
            }
        }

        private boolean count(Fingerprinter fingerprinter, SourceTexts texts) {
            long start = System.nanoTime();
            try {
                shared.add(fingerprinter, texts);
                return true;
            } catch (UnreadableTextException e) {
                return false;
            } finally {
                countedNanos += System.nanoTime() - start;
                counted += texts.fields().stream()
                        .flatMap(field -> field.values().stream())
                        .mapToLong(String::length)
                        .sum();
            }
        }

        /** An analyzer may be slow for one document, but not for each. */
        private void requireSpeed() {
            if (countedNanos > work.most().nanos() + counted * NANOS_PER_CHARACTER) {
                throw work.tooLong();
            }
        }
    }
}
