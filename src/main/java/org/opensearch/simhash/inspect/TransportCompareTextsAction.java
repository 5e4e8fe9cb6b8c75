/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.Set;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.memory.FingerprintMemory;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Compares two given texts on the node that was asked, off its transport threads. */
public final class TransportCompareTextsAction
        extends HandledTransportAction<CompareTextsAction.Request, CompareAction.Response> {

    private final ThreadPool threadPool;
    private final ClusterService clusterService;
    private final PipelineRecipes recipes;
    private final FingerprintMemory memory;

    @Inject
    public TransportCompareTextsAction(
            TransportService transportService,
            ActionFilters filters,
            ThreadPool threadPool,
            ClusterService clusterService,
            PipelineRecipes recipes,
            FingerprintMemory memory) {
        super(CompareTextsAction.NAME, transportService, filters, CompareTextsAction.Request::new);
        this.threadPool = threadPool;
        this.clusterService = clusterService;
        this.recipes = recipes;
        this.memory = memory;
    }

    @Override
    protected void doExecute(
            Task task, CompareTextsAction.Request request, ActionListener<CompareAction.Response> listener) {
        HelperWork work = new HelperWork(
                threadPool,
                (CancellableTask) task,
                memory,
                clusterService.getClusterSettings().get(InspectThreads.MAX_TIME));
        ActionListener<CompareAction.Response> holding = work.holding(request.bytes(), listener);
        Comparison comparison = new Comparison(recipes, request.recipe(), Set.of(), work);
        work.start(holding, () -> holding.onResponse(comparison.of(request.a(), request.b())));
    }
}
