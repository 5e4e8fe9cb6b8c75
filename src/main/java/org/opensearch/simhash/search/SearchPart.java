/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.SetOnce;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.BaseQueryRewriteContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.ingest.IngestService;
import org.opensearch.ingest.Processor;
import org.opensearch.node.Node;
import org.opensearch.plugins.SearchPipelinePlugin;
import org.opensearch.plugins.SearchPlugin.QuerySpec;
import org.opensearch.plugins.SearchPlugin.SearchExtSpec;
import org.opensearch.search.deciders.ConcurrentSearchRequestDecider;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.search.pipeline.SystemGeneratedProcessor.SystemGeneratedFactory;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.Buffers;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.ingest.FingerprintCounts;
import org.opensearch.simhash.search.ingest.FingerprintCounts.TallyFilter;
import org.opensearch.simhash.search.ingest.ImageHashProcessor;
import org.opensearch.simhash.search.ingest.NodeAnalyzers;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.ingest.TextProcessor;
import org.opensearch.simhash.search.memory.FingerprintMemory;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.pipeline.CollapseRequestProcessor;
import org.opensearch.simhash.search.pipeline.CollapseResponseProcessor;
import org.opensearch.simhash.search.pipeline.DistinctSearch;
import org.opensearch.simhash.search.pipeline.SearchSurroundings;
import org.opensearch.simhash.search.pipeline.VerifiedHits;
import org.opensearch.simhash.search.query.EvidencePhase;
import org.opensearch.simhash.search.query.FetchWatch;
import org.opensearch.simhash.search.query.FingerprintPresence;
import org.opensearch.simhash.search.query.PrintPhase;
import org.opensearch.simhash.search.query.PrintQueryBuilder;
import org.opensearch.simhash.search.query.SearchWarnings;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.simhash.search.query.SimHashExt;
import org.opensearch.simhash.search.query.SimHashQueries;
import org.opensearch.simhash.search.query.SlicedQueries;
import org.opensearch.simhash.search.warnings.WarningFilter;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/** What this part registers with the node, and what the parts above share with it. One a node. */
public final class SearchPart {

    public static final String IMAGE_HASH = ImageHashProcessor.TYPE;

    /** Made for a node by {@link #querySpecs}. */
    public static final Class<PrintQueryBuilder> QUERY = PrintQueryBuilder.class;

    /** Makes what {@link #generatedRequestProcessors} gives. */
    public static final Class<?> DISTINCT = DistinctSearch.class;

    private final Function<ThreadContext, String> caller;
    private final SetOnce<IngestService> ingestService = new SetOnce<>();
    private final SetOnce<ThreadContext> threadContext = new SetOnce<>();
    private final SetOnce<Client> client = new SetOnce<>();
    private final SetOnce<SearchedIndices.Cluster> cluster = new SetOnce<>();
    private final SetOnce<QueryRewriteContext> rewriting = new SetOnce<>();
    private final SetOnce<Map<SketchKind, TextProcessor.Factory>> factories = new SetOnce<>();
    private final FingerprintMemory memory = new FingerprintMemory();
    private final FingerprintCounts fingerprints = new FingerprintCounts(threadContext::get);
    private final Counters<CollapseCount> collapse = new Counters<>(CollapseCount.class);
    private final Spans spans = new Spans();
    private final Map<SketchKind, PipelineRecipes> recipes = byKind(kind ->
            new PipelineRecipes(kind, ingestService::get, () -> factories.get().get(kind)));
    private final SimHashQueries queries = new SimHashQueries(recipes, cluster::get, memory, spans);
    private final FetchWatch fetches = new FetchWatch();
    private final FingerprintPresence presence = new FingerprintPresence(cluster::get, client::get);

    /** @param caller the name of who asks */
    public SearchPart(Function<ThreadContext, String> caller) {
        this.caller = caller;
    }

    /** Resolves index names, once the node has started. */
    public Supplier<SearchedIndices.Cluster> cluster() {
        return cluster::get;
    }

    public FingerprintMemory memory() {
        return memory;
    }

    public FingerprintCounts fingerprints() {
        return fingerprints;
    }

    public Counters<CollapseCount> collapse() {
        return collapse;
    }

    public Spans spans() {
        return spans;
    }

    public SimHashQueries queries() {
        return queries;
    }

    public FingerprintPresence presence() {
        return presence;
    }

    public Map<String, Processor.Factory> processors(Processor.Parameters node) {
        ingestService.set(node.ingestService);
        threadContext.set(node.threadContext);
        NodeAnalyzers analyzers =
                new NodeAnalyzers(node.analysisRegistry, Node.NODE_NAME_SETTING.get(node.env.settings()));
        Buffers buffers = new Buffers();
        factories.set(byKind(kind -> new TextProcessor.Factory(kind, analyzers, buffers, memory, fingerprints)));
        Map<String, Processor.Factory> processors = new HashMap<>();
        factories.get().forEach((kind, factory) -> processors.put(kind.toString(), factory));
        processors.put(ImageHashProcessor.TYPE, new ImageHashProcessor.Factory(imageDecoders(), fingerprints));
        return processors;
    }

    private static <T> Map<SketchKind, T> byKind(Function<SketchKind, T> make) {
        return Stream.of(SketchKind.values()).collect(Collectors.toMap(kind -> kind, make));
    }

    private ImageHashProcessor.Decoders imageDecoders() {
        return new ImageHashProcessor.Decoders(
                command -> client.get()
                        .threadPool()
                        .executor(ImageHashProcessor.THREADS)
                        .execute(command),
                threadContext::get,
                caller,
                index -> cluster.get().pulls(index),
                setting -> cluster.get().service().getClusterSettings().get(setting),
                memory);
    }

    public List<QuerySpec<PrintQueryBuilder>> querySpecs() {
        return queries.specs();
    }

    public List<SearchExtSpec<?>> searchExts() {
        return List.of(new SearchExtSpec<>(SimHashExt.NAME, SimHashExt::new, DistinctSearch::fromXContent));
    }

    public ConcurrentSearchRequestDecider.Factory deciders() {
        return queries.deciders();
    }

    public List<FetchSubPhase> fetchSubPhases() {
        return List.of(new EvidencePhase(fetches), new PrintPhase());
    }

    public List<SearchOperationListener> searchListeners() {
        return List.of(queries.counts(), queries.memories(), fetches);
    }

    public Map<String, org.opensearch.search.pipeline.Processor.Factory<SearchRequestProcessor>> requestProcessors() {
        return Map.of(
                CollapseRequestProcessor.TYPE, CollapseRequestProcessor.factory(new SearchSurroundings(cluster::get)));
    }

    public Map<String, org.opensearch.search.pipeline.Processor.Factory<SearchResponseProcessor>> responseProcessors(
            SearchPipelinePlugin.Parameters node) {
        return Map.of(CollapseResponseProcessor.TYPE, CollapseResponseProcessor.factory(collapse, services(node)));
    }

    public Map<String, SystemGeneratedFactory<SearchRequestProcessor>> generatedRequestProcessors(
            SearchPipelinePlugin.Parameters node) {
        return Map.of(DistinctSearch.FACTORY, distinct(node).requestSide());
    }

    public Map<String, SystemGeneratedFactory<SearchResponseProcessor>> generatedResponseProcessors(
            SearchPipelinePlugin.Parameters node) {
        return Map.of(DistinctSearch.FACTORY, distinct(node).responseSide());
    }

    private DistinctSearch distinct(SearchPipelinePlugin.Parameters node) {
        return new DistinctSearch(new SearchSurroundings(cluster::get), collapse, services(node));
    }

    private VerifiedHits.Services services(SearchPipelinePlugin.Parameters node) {
        return new VerifiedHits.Services(
                node.client, recipes::get, memory, queries.counts().comparisons(), node.genericExecutor::accept);
    }

    public List<ActionFilter> filters() {
        return List.of(
                new TallyFilter(fingerprints, memory),
                new SlicedQueries(rewriting::get),
                new WarningFilter(() -> cluster.get().threads()),
                DistinctSearch.filter(cluster::get),
                new SearchWarnings(() -> cluster.get().threads(), presence));
    }

    public List<Setting<?>> settings() {
        return List.of(ImageHashProcessor.MAX_TIME, ImageHashProcessor.MAX_BULK_TIME);
    }

    public List<ExecutorBuilder<?>> pools(Settings settings) {
        return List.of(SimHashQueries.threads(settings), ImageHashProcessor.threads(settings));
    }

    /** @return what actions of all parts may be made with */
    public List<Object> start(
            Client client,
            ClusterService clusterService,
            ThreadPool threadPool,
            NamedXContentRegistry contents,
            NamedWriteableRegistry writeables,
            IndexNameExpressionResolver names) {
        // Loaded here, because the thread that takes the first pipeline is a network thread.
        Folding.load();
        this.client.set(client);
        cluster.set(new SearchedIndices.Cluster(clusterService, names, writeables, threadPool.getThreadContext()));
        rewriting.set(new BaseQueryRewriteContext(contents, writeables, client, System::currentTimeMillis));
        PipelineRecipes.ByKind byKind = new PipelineRecipes.ByKind(recipes);
        return List.of(recipes.get(SketchKind.SIMHASH), byKind, memory, queries.counts(), presence);
    }
}
