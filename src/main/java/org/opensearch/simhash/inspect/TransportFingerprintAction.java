/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.List;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.memory.FingerprintMemory;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Computes a fingerprint on the node that was asked, off its transport threads. */
public final class TransportFingerprintAction
        extends HandledTransportAction<FingerprintAction.Request, FingerprintAction.Response> {

    private static final int TOP_FEATURES = 20;
    private final ThreadPool threadPool;
    private final ClusterService clusterService;
    private final PipelineRecipes recipes;
    private final FingerprintMemory memory;

    @Inject
    public TransportFingerprintAction(
            TransportService transportService,
            ActionFilters filters,
            ThreadPool threadPool,
            ClusterService clusterService,
            PipelineRecipes recipes,
            FingerprintMemory memory) {
        super(FingerprintAction.NAME, transportService, filters, FingerprintAction.Request::new);
        this.threadPool = threadPool;
        this.clusterService = clusterService;
        this.recipes = recipes;
        this.memory = memory;
    }

    @Override
    protected void doExecute(
            Task task, FingerprintAction.Request request, ActionListener<FingerprintAction.Response> listener) {
        HelperWork work = new HelperWork(
                threadPool,
                (CancellableTask) task,
                memory,
                clusterService.getClusterSettings().get(InspectThreads.MAX_TIME));
        ActionListener<FingerprintAction.Response> holding = work.holding(request.bytes(), listener);
        work.start(holding, () -> holding.onResponse(fingerprint(request, work)));
    }

    private FingerprintAction.Response fingerprint(FingerprintAction.Request request, HelperWork work) {
        Fingerprinter fingerprinter = RecipeChoice.reading(
                request.recipe().resolve(recipes, FingerprintFields.DEFAULT_OBJECT, List.of(), work::check),
                request.text());
        SourceTexts texts = request.text().sourceTexts(fingerprinter);
        Fingerprint fingerprint = fingerprinter.fingerprint(texts, work);
        Fingerprinter sketcher = fingerprinter.sketching();
        return new FingerprintAction.Response(
                fingerprint,
                fingerprinter.recipe().segments(),
                SketchFields.of(sketcher.sketch(texts, work), sketcher.recipe().bandLayout()),
                request.explain() ? fingerprinter.heaviestFeatures(texts, TOP_FEATURES, work) : null);
    }
}
